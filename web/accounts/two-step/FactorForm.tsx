/** A form in which users show that it is them, in one of several ways. */
import { IconKey } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { PasskeyAssertion, PasskeyRequestOptions } from '#contract/passkeys.ts'
import type { ProofMethod } from '#contract/second-factor.ts'
import { fieldErrorsOf, messageOf } from '#web/client/send.ts'
import { Button } from '#web/ui/Button.tsx'
import { ErrorLine, Notice } from '#web/ui/ErrorLine.tsx'
import { Form } from '#web/ui/Form.tsx'
import { PasswordField, TextField } from '#web/ui/TextFields.tsx'
import { CodeField, codeError } from './CodeField.tsx'
import { passkeyErrorText, passkeyObstacle, signWithPasskey } from './passkeys.ts'
import { texts } from './texts.ts'
import styles from './TwoStep.module.css'

const t = texts.form

/** What the user gave, as the calls take it. */
type GivenFactor =
  | { password: string }
  | { code: string }
  | { recovery: string }
  | { passkey: PasskeyAssertion }

/** The typed ways and their fields in the calls. */
const FIELD_OF = { password: 'password', totp: 'code', recovery: 'recovery' } as const
type TypedMethod = keyof typeof FIELD_OF

type FactorFormProps = {
  /** Any one of them is enough. */
  methods: readonly ProofMethod[]
  /** Throws what `send` throws; shown in the form. */
  give: (given: GivenFactor) => Promise<void>
  passkeyOptions: () => Promise<PasskeyRequestOptions | null | undefined>
  email: string
  submitText: string
  busyText: string
  failedText: string
  /** Buttons below each other, as wide as the page's column, or in a dialog's last line. */
  layout: 'page' | 'dialog'
  /** The way back, in the place where the layout has it. */
  leave: ReactNode
}

const firstTyped = (methods: readonly ProofMethod[]): TypedMethod | null =>
  (['password', 'totp'] as const).find(method => methods.includes(method))
  ?? (methods.includes('passkey') && passkeyObstacle() === null ? null : 'recovery')

export function FactorForm(props: FactorFormProps) {
  const { methods, give, passkeyOptions, email, failedText, layout } = props
  /** Null: only the passkey is offered. */
  const [method, setMethod] = useState(() => firstTyped(methods))
  const [value, setValue] = useState('')
  const [error, setError] = useState<string>()
  const [refused, setRefused] = useState<string | null>(null)
  const [busy, setBusy] = useState<'typed' | 'passkey' | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const obstacle = methods.includes('passkey') ? passkeyObstacle() : null
  const offersPasskey = methods.includes('passkey') && obstacle === null
  const focusField = () => form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
  useEffect(() => focusField(), [method])

  const change = (text: string) => {
    setValue(text)
    setError(undefined)
    setRefused(null)
  }
  const switchTo = (next: TypedMethod) => {
    change('')
    setMethod(next)
  }
  const run = async (kind: 'typed' | 'passkey', work: () => Promise<void>) => {
    if (busy) return
    setError(undefined)
    setRefused(null)
    setBusy(kind)
    try {
      await work()
    } catch (reason) {
      const told = kind === 'typed' && method ? fieldErrorsOf(reason)[FIELD_OF[method]] : undefined
      setError(told)
      if (!told) {
        const ofDevice = kind === 'passkey' ? passkeyErrorText(reason) : null
        setRefused(ofDevice ?? messageOf(reason, failedText))
      }
      setBusy(null)
    }
  }
  const submit = async () => {
    if (!method) return signWithDevice()
    const wrong = problemOf(method, value)
    setError(wrong)
    if (wrong) return
    const text = method === 'password' ? value : value.trim()
    await run('typed', () => give({ [FIELD_OF[method]]: text } as GivenFactor))
  }
  const signWithDevice = () =>
    run('passkey', async () => {
      const options = await passkeyOptions()
      if (options) return give({ passkey: await signWithPasskey(options) })
      setRefused(texts.passkey.none)
      setBusy(null)
    })

  const page = layout === 'page'
  const others = (
    <>
      {method && offersPasskey && (
        <PasskeyButton wide busy={busy === 'passkey'} onClick={signWithDevice} />
      )}
      {methods.includes('totp') && method !== 'totp' && (
        <button type="button" className={styles.link} onClick={() => switchTo('totp')}>
          {t.useCode}
        </button>
      )}
      {methods.includes('recovery') && method !== 'recovery' && (
        <button type="button" className={styles.link} onClick={() => switchTo('recovery')}>
          {t.useRecovery}
        </button>
      )}
    </>
  )
  const main = method ? (
    <Button kind="ink" size="large" wide={page} type="submit" busy={busy === 'typed'}>
      {busy === 'typed' ? props.busyText : props.submitText}
    </Button>
  ) : (
    <PasskeyButton kind="ink" wide={page} busy={busy === 'passkey'} onClick={signWithDevice} />
  )
  return (
    <Form ref={form} onSubmit={submit} className={styles.form}>
      {/* Tells password managers whose password is asked for. */}
      <input hidden type="email" name="email" autoComplete="username" value={email} readOnly />
      <FactorField {...{ method, value, error }} onText={change} />
      {obstacle !== null && <Notice tone="neutral">{obstacle}</Notice>}
      <ErrorLine>{refused}</ErrorLine>
      {page ? (
        <>
          {main}
          {others}
          {props.leave}
        </>
      ) : (
        <>
          {others}
          <div className={styles.buttons}>
            {props.leave}
            {main}
          </div>
        </>
      )}
    </Form>
  )
}

const problemOf = (method: TypedMethod, value: string): string | undefined => {
  if (method === 'totp') return codeError(value)
  const given = method === 'password' ? value : value.trim()
  return given === '' ? texts.required(t[method]) : undefined
}

type FactorFieldProps = {
  method: TypedMethod | null
  value: string
  error: string | undefined
  onText: (text: string) => void
}

function FactorField({ method, value, error, onText }: FactorFieldProps) {
  const common = {
    value,
    error,
    required: true,
    'data-autofocus': true,
    onChange: (event: { currentTarget: { value: string } }) => onText(event.currentTarget.value),
  }
  switch (method) {
    case 'totp':
      return <CodeField {...{ value, error, onCode: onText }} />
    case 'password':
      return (
        <PasswordField
          {...common}
          label={t.password}
          name="password"
          autoComplete="current-password"
        />
      )
    case 'recovery':
      return (
        <TextField
          {...common}
          label={t.recovery}
          description={t.recoveryHint}
          name="recovery"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          className={styles.mono}
        />
      )
    case null:
      return <p className={styles.explain}>{t.passkeyText}</p>
  }
}

type PasskeyButtonProps = {
  kind?: 'ink' | 'outline'
  wide?: boolean
  busy: boolean
  onClick: () => void
}

function PasskeyButton(props: PasskeyButtonProps) {
  return (
    <Button
      size="large"
      icon={<IconKey aria-hidden="true" />}
      data-autofocus={props.kind === 'ink' || undefined}
      {...props}
    >
      {t.passkey}
    </Button>
  )
}
