/** The password of the account: dots, or the form that changes it. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { saveAccount } from '#contract/accounts.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { refreshUser, useUser } from '#web/client/session.ts'
import { useAction } from '#web/client/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { PasswordField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import { useOpened } from '#web/ui/use-opened.ts'
import { PasswordHint } from './PasswordHint.tsx'
import { passwordErrorsFor } from './profile-form.ts'
import type { PasswordForm } from './profile-form.ts'
import { SettingsFields, SettingsRow, WithButton } from './Settings.tsx'
import { texts } from './texts.ts'
import styles from './Account.module.css'

const t = texts.account
const EMPTY: PasswordForm = { password: '', currentPassword: '' }

export function PasswordRow() {
  const form = useOpened<{ isNew: true }>()
  const { opened } = form
  const opener = useRef<HTMLButtonElement>(null)
  if (opened)
    return (
      <ChangePassword
        onClose={() => {
          if (form.close(opened)) requestAnimationFrame(() => opener.current?.focus())
        }}
      />
    )
  return (
    <SettingsRow title={texts.password} text={t.passwordHint}>
      <WithButton>
        <span className={styles.dots} aria-hidden="true">
          {t.passwordDots}
        </span>
        <Button ref={opener} aria-label={t.change} onClick={() => form.open({ isNew: true })}>
          {t.changeIt}
        </Button>
      </WithButton>
    </SettingsRow>
  )
}

function ChangePassword({ onClose }: { onClose: () => void }) {
  const { _id: userId, email } = useUser()
  const queryClient = useQueryClient()
  const [values, setValues] = useState(EMPTY)
  const { busy, errors, refused, clearError, run } = useAction(t.failed, EMPTY)
  const current = useRef<HTMLInputElement>(null)
  useEffect(() => current.current?.focus(), [])

  const field = (key: keyof PasswordForm, label: string) => ({
    label,
    name: key,
    required: true,
    value: values[key],
    error: errors[key],
    onChange: (event: { currentTarget: { value: string } }) => {
      setValues({ ...values, [key]: event.currentTarget.value })
      clearError(key)
    },
  })
  const save = async () => {
    const { message } = await send(saveAccount, { params: { userId }, body: values })
    toastSuccess(message || t.saved)
    onClose()
    await Promise.all([
      refreshUser(),
      queryClient.invalidateQueries({ queryKey: queryKeys.devices(userId) }),
    ])
  }

  return (
    <Form onSubmit={() => run(save, passwordErrorsFor(values))}>
      <SettingsRow title={t.change} text={t.passwordHint}>
        {/* Tells password managers whose password is changed. */}
        <input hidden type="email" name="email" autoComplete="username" value={email} readOnly />
        <SettingsFields>
          <PasswordField
            {...field('currentPassword', t.currentPassword)}
            autoComplete="current-password"
            ref={current}
          />
          <PasswordField
            {...field('password', texts.reset.password)}
            autoComplete="new-password"
            description={<PasswordHint password={values.password} />}
          />
          <ErrorLine>{refused}</ErrorLine>
          <div className={styles.buttons}>
            <Button aria-label={t.keep.name} onClick={onClose}>
              {t.keep.text}
            </Button>
            <Button kind="ink" type="submit" busy={busy} aria-label={t.savePassword.name}>
              {t.savePassword.text}
            </Button>
          </div>
        </SettingsFields>
      </SettingsRow>
    </Form>
  )
}
