import { useState } from 'react'
import type { AdminUser } from '#contract/accounts.ts'
import { REASON_MAX } from '#contract/accounts.ts'
import { correctEmail, INVITED_ROLES, inviteUser } from '#contract/email-ownership.ts'
import type { FieldErrors } from '#web/client/form-problems.ts'
import { send } from '#web/client/send.ts'
import { useAction } from '#web/client/use-action.ts'
import { NativeSelectField, TextField } from '#web/ui/Field.tsx'
import { SmallFormDialog } from '#web/ui/SmallFormDialog.tsx'
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
  const [values, setValues] = useState(initial)
  const { busy, errors, refused, clearError, run } = useAction(texts.edit.failed, initial)

  const field = (name: Field) => ({
    label: labels[name],
    name,
    required: true,
    value: values[name],
    error: errors[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      setValues({ ...values, [name]: event.currentTarget.value })
      clearError(name)
    },
  })
  const submit = () => {
    const empty = (Object.keys(values) as Field[]).filter(name => values[name].trim() === '')
    const missing = Object.fromEntries(
      empty.map(name => [name, texts.edit.required(labels[name])]),
    ) as FieldErrors<Field>
    return run(async () => {
      toastSuccess(await save(values))
      onDone()
    }, missing)
  }
  /** Why the dialog cannot be closed now. */
  const wait = useSavingReason(busy, uiTexts.wait)
  return { field, onSubmit: submit, refused, busy, wait }
}

type CorrectEmailDialogProps = { user: AdminUser; onDone: () => void; onClose: () => void }

export function CorrectEmailDialog({ user, onDone, onClose }: CorrectEmailDialogProps) {
  const t = texts.correct
  const { field, ...form } = useDialogForm(
    { email: '', reason: '' },
    { email: t.email, reason: texts.edit.reason },
    async body => (await send(correctEmail, { params: { userId: user._id }, body })).message,
    onDone,
  )
  return (
    <SmallFormDialog title={t.title} submitText={t.submit} onClose={onClose} {...form}>
      <p className={styles.user}>{texts.nameAndEmail(user.name, user.email)}</p>
      <p>{user.invited ? t.invited : user.emailVerified ? t.verified : t.unverified}</p>
      <TextField {...field('email')} type="email" autoComplete="off" data-autofocus />
      <TextField
        {...field('reason')}
        description={t.reasonHint}
        autoComplete="off"
        maxLength={REASON_MAX}
      />
    </SmallFormDialog>
  )
}

const ROLE_CHOICES = INVITED_ROLES.map(value => ({ value, label: texts.roles[value] }))

export function InviteUserDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const t = texts.invite
  const { field, ...form } = useDialogForm(
    { name: '', email: '', user_role: 'user' },
    { name: t.name, email: t.email, user_role: texts.edit.role },
    async ({ name, email, user_role }) => {
      const role = INVITED_ROLES.find(one => one === user_role) ?? 'user'
      return (await send(inviteUser, { body: { name, email, user_role: role } })).message
    },
    onDone,
  )
  return (
    <SmallFormDialog title={t.title} submitText={t.submit} onClose={onClose} {...form}>
      <p>{t.text}</p>
      <TextField {...field('name')} autoComplete="off" data-autofocus />
      <TextField {...field('email')} type="email" autoComplete="off" />
      <NativeSelectField {...field('user_role')} data={ROLE_CHOICES} />
    </SmallFormDialog>
  )
}
