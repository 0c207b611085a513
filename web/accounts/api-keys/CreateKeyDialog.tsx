import { useId, useState } from 'react'
import { createKey } from '#contract/api-keys.ts'
import { SCOPES } from '#contract/keys.ts'
import type { Scope } from '#contract/keys.ts'
import { formProblemsFrom } from '#web/client/form-problems.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { CheckField, NativeSelectField, TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { EMPTY_KEY_FORM, keyBodyFrom, keyFormErrors } from './new-key.ts'
import type { KeyForm, KeyFormErrors } from './new-key.ts'
import { SCOPE_TEXTS, texts } from './texts.ts'
import styles from './ApiKeys.module.css'

const t = texts.create
const FIELDS = { name: true, scopes: true, dailyLimit: true }

type CreateKeyDialogProps = { onMade: (key: string) => Promise<void>; onClose: () => void }

export function CreateKeyDialog({ onMade, onClose }: CreateKeyDialogProps) {
  const { _id: userId } = useUser()
  const [form, setForm] = useState<KeyForm>(EMPTY_KEY_FORM)
  const [errors, setErrors] = useState<KeyFormErrors>({})
  const [refused, setRefused] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const change = (changed: Partial<KeyForm>, field?: keyof KeyFormErrors) => {
    setForm(old => ({ ...old, ...changed }))
    if (field) setErrors(old => ({ ...old, [field]: undefined }))
    setRefused(null)
  }
  const submit = async () => {
    if (busy) return
    const wrong = keyFormErrors(form)
    setErrors(wrong)
    setRefused(null)
    if (Object.keys(wrong).length > 0) return
    setBusy(true)
    try {
      const body = keyBodyFrom(form, Date.now())
      const { key } = await send(createKey, { params: { userId }, body })
      await onMade(key)
    } catch (reason) {
      const { fields, form: told } = formProblemsFrom(reason, FIELDS, texts.failed)
      setErrors(fields)
      setRefused(told)
      setBusy(false)
    }
  }

  return (
    <Dialog opened onClose={onClose} title={t.title} closeButton={false}>
      <Form onSubmit={submit} className={styles.form}>
        <TextField
          label={t.name}
          description={t.nameHint}
          error={errors.name}
          name="name"
          required
          autoComplete="off"
          maxLength={t.nameMax}
          data-autofocus
          value={form.name}
          onChange={event => change({ name: event.currentTarget.value }, 'name')}
        />
        <ScopeFields
          chosen={form.scopes}
          error={errors.scopes}
          onChange={scopes => change({ scopes }, 'scopes')}
        />
        <TextField
          label={t.limit}
          description={t.limitHint}
          error={errors.dailyLimit}
          name="dailyLimit"
          inputMode="decimal"
          autoComplete="off"
          value={form.limit}
          onChange={event => change({ limit: event.currentTarget.value }, 'dailyLimit')}
        />
        <NativeSelectField
          label={t.expires}
          error={null}
          name="expires"
          data={t.lifetimes}
          value={form.lifetime}
          onChange={event => change({ lifetime: event.currentTarget.value })}
        />
        <ErrorLine>{refused}</ErrorLine>
        <div className={styles.buttons}>
          <Button size="large" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button kind="ink" size="large" type="submit" busy={busy}>
            {t.submit}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

type ScopeFieldsProps = {
  chosen: readonly Scope[]
  error: string | undefined
  onChange: (scopes: Scope[]) => void
}

function ScopeFields({ chosen, error, onChange }: ScopeFieldsProps) {
  const errorId = useId()
  return (
    <fieldset className={styles.fieldset} aria-describedby={error ? errorId : undefined}>
      <legend className={styles.legend}>{t.scopes}</legend>
      <div className={styles.choices}>
        {SCOPES.map(scope => (
          <CheckField
            key={scope}
            label={SCOPE_TEXTS[scope].name}
            description={SCOPE_TEXTS[scope].explain}
            checked={chosen.includes(scope)}
            onChange={event =>
              onChange(
                SCOPES.filter(one =>
                  one === scope ? event.currentTarget.checked : chosen.includes(one),
                ),
              )
            }
          />
        ))}
      </div>
      <div id={errorId}>
        <ErrorLine>{error}</ErrorLine>
      </div>
    </fieldset>
  )
}
