import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { PASSWORD_MIN, saveAccount } from '#contract/accounts.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { fieldErrorsOf, messageOf, send } from '#web/client/send.ts'
import { refreshUser, useUser } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { PasswordField, TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import { EmailField } from './email/EmailField.tsx'
import { profileErrorsFor } from './profile-form.ts'
import type { ProfileErrors, ProfileForm } from './profile-form.ts'
import { texts } from './texts.ts'
import styles from './Account.module.css'

const NO_PASSWORDS = { password: '', currentPassword: '' }

/** An empty password stays unchanged; its fields unfold on request. */
export function Profile() {
  const { _id: userId, name } = useUser()
  const queryClient = useQueryClient()
  const [values, setValues] = useState<ProfileForm>({ name, ...NO_PASSWORDS })
  const [changesPassword, setChangesPassword] = useState(false)
  const change = useRef<HTMLButtonElement>(null)
  const current = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (changesPassword) current.current?.focus()
  }, [changesPassword])
  const [errors, setErrors] = useState<ProfileErrors>({})
  const [refused, setRefused] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const field = (key: keyof ProfileForm, label: string) => ({
    label,
    name: key,
    value: values[key],
    error: errors[key],
    onChange: (event: { currentTarget: { value: string } }) => {
      setValues({ ...values, [key]: event.currentTarget.value })
      setErrors({ ...errors, [key]: undefined })
    },
  })

  const keepPassword = () => {
    setValues({ ...values, ...NO_PASSWORDS })
    setErrors({ ...errors, password: undefined, currentPassword: undefined })
    setChangesPassword(false)
    change.current?.focus()
  }
  const submit = async () => {
    const wrong = profileErrorsFor(values)
    setErrors(wrong)
    setRefused(null)
    if (Object.keys(wrong).length > 0) return
    setBusy(true)
    try {
      const { user, message } = await send(saveAccount, { params: { userId }, body: values })
      setValues({ name: user.name, ...NO_PASSWORDS })
      setChangesPassword(false)
      toastSuccess(message || texts.account.saved)
      await Promise.all([
        refreshUser(),
        queryClient.invalidateQueries({ queryKey: queryKeys.devices(userId) }),
      ])
    } catch (reason) {
      const told = fieldErrorsOf(reason)
      setErrors(told)
      if (Object.keys(told).length === 0) setRefused(messageOf(reason, texts.account.failed))
    } finally {
      setBusy(false)
    }
  }

  const action = changesPassword ? texts.account.keep : texts.account.change
  return (
    <Card title={texts.account.profile}>
      <Form onSubmit={submit} className={styles.form}>
        <div className={styles.fields}>
          <TextField
            {...field('name', texts.name)}
            description={texts.account.nameHint}
            autoComplete="name"
            required
          />
          <EmailField />
        </div>
        <div className={styles.password}>
          <div className={styles.passwordLine}>
            <h3>{texts.password}</h3>
            {!changesPassword && (
              <span className={styles.dots} aria-hidden="true">
                {texts.account.passwordDots}
              </span>
            )}
            <Button
              ref={change}
              aria-label={action.name}
              aria-expanded={changesPassword}
              onClick={changesPassword ? keepPassword : () => setChangesPassword(true)}
            >
              {action.text}
            </Button>
          </div>
          {changesPassword && (
            <div className={styles.fields}>
              <PasswordField
                {...field('currentPassword', texts.account.currentPassword)}
                autoComplete="current-password"
                description={texts.account.currentHint}
                required={values.password !== ''}
                ref={current}
              />
              <PasswordField
                {...field('password', texts.password)}
                autoComplete="new-password"
                description={texts.account.passwordHint(PASSWORD_MIN)}
              />
            </div>
          )}
        </div>
        <ErrorLine>{refused}</ErrorLine>
        <div className={styles.buttons}>
          <Button kind="ink" size="large" type="submit" busy={busy}>
            {texts.account.save}
          </Button>
        </div>
      </Form>
    </Card>
  )
}
