/** Dialogs about a user's address: correcting it, and inviting a user. */
import { useState } from 'react'
import type { AdminUser } from '#contract/accounts.ts'
import { REASON_MAX } from '#contract/accounts.ts'
import { correctEmail, INVITED_ROLES, inviteUser } from '#contract/email-ownership.ts'
import { fieldErrorsOf, messageOf, send } from '#web/client/send.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { NativeSelectField, TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { texts as uiTexts } from '#web/ui/texts.ts'
import { toastSuccess } from '#web/ui/toasts.ts'
import { useSavingReason } from '#web/ui/use-saving-reason.ts'
import { texts } from './texts.ts'
import styles from './Users.module.css'

/** A form of text fields that are all required. `save` returns the message of success. */
function useDialogForm<Field extends string>(
  initial: Record<Field, string>,
  labels: Record<Field, string>,
  save: (values: Record<Field, string>) => Promise<string>,
  onDone: () => void,
) {
  type Errors = Partial<Record<Field, string>>
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<Errors>({})
  const [refused, setRefused] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const field = (name: Field) => ({
    label: labels[name],
    name,
    required: true,
    value: values[name],
    error: errors[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      setValues({ ...values, [name]: event.currentTarget.value })
      setErrors({ ...errors, [name]: undefined })
    },
  })
  const submit = async () => {
    const empty = (Object.keys(values) as Field[]).filter(name => values[name].trim() === '')
    setErrors(
      Object.fromEntries(empty.map(name => [name, texts.edit.required(labels[name])])) as Errors,
    )
    setRefused(null)
    if (empty.length > 0) return
    setBusy(true)
    try {
      toastSuccess(await save(values))
      onDone()
    } catch (reason) {
      const told = fieldErrorsOf(reason) as Errors
      setErrors(told)
      if (Object.keys(told).length === 0) setRefused(messageOf(reason, texts.edit.failed))
      setBusy(false)
    }
  }
  /** Why the dialog cannot be closed now. */
  const wait = useSavingReason(busy, uiTexts.wait)
  return { field, submit, refused, busy, wait }
}

type DialogButtonsProps = {
  busy: boolean
  wait: string | null
  submit: string
  onClose: () => void
}

function DialogButtons({ busy, wait, submit, onClose }: DialogButtonsProps) {
  return (
    <div className={styles.buttons}>
      <Button onClick={onClose} disabledReason={wait}>
        {texts.edit.cancel}
      </Button>
      <Button kind="ink" type="submit" busy={busy}>
        {submit}
      </Button>
    </div>
  )
}

type CorrectEmailDialogProps = { user: AdminUser; onDone: () => void; onClose: () => void }

export function CorrectEmailDialog({ user, onDone, onClose }: CorrectEmailDialogProps) {
  const t = texts.correct
  const { field, submit, refused, busy, wait } = useDialogForm(
    { email: '', reason: '' },
    { email: t.email, reason: texts.edit.reason },
    async body => (await send(correctEmail, { params: { userId: user._id }, body })).message,
    onDone,
  )
  return (
    <Dialog
      opened
      isForm
      onClose={onClose}
      title={t.title}
      size="small"
      closeButton={false}
      closeDisabledReason={wait}
    >
      <Form onSubmit={submit} className={styles.form}>
        <p className={styles.user}>{texts.nameAndEmail(user.name, user.email)}</p>
        <p>{user.invited ? t.invited : user.emailVerified ? t.verified : t.unverified}</p>
        <TextField {...field('email')} type="email" autoComplete="off" data-autofocus />
        <TextField
          {...field('reason')}
          description={t.reasonHint}
          autoComplete="off"
          maxLength={REASON_MAX}
        />
        <ErrorLine>{refused}</ErrorLine>
        <DialogButtons busy={busy} wait={wait} submit={t.submit} onClose={onClose} />
      </Form>
    </Dialog>
  )
}

const ROLE_CHOICES = INVITED_ROLES.map(value => ({ value, label: texts.roles[value] }))

export function InviteUserDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const t = texts.invite
  const { field, submit, refused, busy, wait } = useDialogForm(
    { name: '', email: '', user_role: 'user' },
    { name: t.name, email: t.email, user_role: texts.edit.role },
    async ({ name, email, user_role }) => {
      const role = INVITED_ROLES.find(one => one === user_role) ?? 'user'
      return (await send(inviteUser, { body: { name, email, user_role: role } })).message
    },
    onDone,
  )
  return (
    <Dialog
      opened
      isForm
      onClose={onClose}
      title={t.title}
      size="small"
      closeButton={false}
      closeDisabledReason={wait}
    >
      <Form onSubmit={submit} className={styles.form}>
        <p>{t.text}</p>
        <TextField {...field('name')} autoComplete="off" data-autofocus />
        <TextField {...field('email')} type="email" autoComplete="off" />
        <NativeSelectField {...field('user_role')} data={ROLE_CHOICES} />
        <ErrorLine>{refused}</ErrorLine>
        <DialogButtons busy={busy} wait={wait} submit={t.submit} onClose={onClose} />
      </Form>
    </Dialog>
  )
}
