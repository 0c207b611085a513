import { useState } from 'react'
import { changeEmail } from '#contract/email-ownership.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { useAction } from '#web/client/use-action.ts'
import { PasswordField, TextField } from '#web/ui/Field.tsx'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import { useIsUnchanged } from '#web/ui/use-is-unchanged.ts'
import { texts } from './texts.ts'
import styles from './Email.module.css'

const t = texts.change

type ChangeEmailDialogProps = { onAsked: () => Promise<void>; onClose: () => void }

export function ChangeEmailDialog({ onAsked, onClose }: ChangeEmailDialogProps) {
  const { _id: userId } = useUser()
  const [values, setValues] = useState({ email: '', currentPassword: '' })
  const { busy, errors, refused, clearError, run } = useAction(t.failed, values)
  const isUnchanged = useIsUnchanged([values.email])

  const field = (name: keyof typeof values, label: string) => ({
    label,
    name,
    required: true,
    value: values[name],
    error: errors[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      setValues({ ...values, [name]: event.currentTarget.value })
      clearError(name)
    },
  })

  const missing = {
    ...(values.email.trim() === '' && { email: t.required(t.email) }),
    ...(values.currentPassword === '' && { currentPassword: t.required(t.password) }),
  }
  const save = async () => {
    const { message } = await send(changeEmail, { params: { userId }, body: values })
    toastSuccess(message)
    await onAsked()
    if (isUnchanged()) onClose()
  }

  return (
    <FormDialog
      title={t.title}
      size="small"
      refused={refused}
      submitText={t.submit}
      busy={busy}
      onSubmit={() => run(save, missing)}
      onClose={onClose}
    >
      <p className={styles.explain}>{t.explain}</p>
      <TextField {...field('email', t.email)} type="email" autoComplete="email" data-autofocus />
      <PasswordField {...field('currentPassword', t.password)} autoComplete="current-password" />
    </FormDialog>
  )
}
