/** The dialogs of a user's actions. */
import type { AdminUser } from '#contract/accounts.ts'
import { deleteUser, setUserActivation } from '#contract/accounts.ts'
import { cancelInvitation, resendInvitation, sendResetLink } from '#contract/email-ownership.ts'
import { usdFromDollars } from '#contract/money.ts'
import { UserServicesOverlay } from '#web/catalogue/admin/UserServicesOverlay.tsx'
import { messageOf, send } from '#web/client/send.ts'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { CorrectEmailDialog } from './EmailDialogs.tsx'
import { LogInAsDialog } from './LogInAsDialog.tsx'
import { texts } from './texts.ts'
import type { UserAction } from './UserActions.tsx'
import styles from './Users.module.css'

export type PendingAction = { action: UserAction; user: AdminUser }

type UserDialogsProps = {
  pending: PendingAction | null
  onDone: () => void
  onClose: (one: PendingAction) => void
}

/** `onDone`: the list of users has changed. */
export function UserDialogs({ pending, onDone, onClose: close }: UserDialogsProps) {
  if (!pending) return null
  const { action, user } = pending
  const onClose = () => close(pending)
  const end = () => {
    onClose()
    onDone()
  }
  switch (action) {
    case 'logIn':
      return <LogInAsDialog user={user} onClose={onClose} />
    case 'services':
      return <UserServicesOverlay user={user} onClose={onClose} />
    case 'correctEmail':
      return <CorrectEmailDialog user={user} onDone={end} onClose={onClose} />
    case 'resetLink':
    case 'resendInvitation':
    case 'cancelInvitation':
      return <MailDialog action={action} user={user} onDone={end} onClose={onClose} />
    case 'activation':
      return <ActivationDialog user={user} onDone={end} onClose={onClose} />
    case 'remove':
      return <DeleteUserDialog user={user} onDone={end} onClose={onClose} />
  }
}

type UserDialogProps = { user: AdminUser; onDone: () => void; onClose: () => void }

/** Shows the general failure as a toast; the dialog shows the server's reason, which is thrown. */
async function withFailureToast<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (reason) {
    toastError(texts.edit.failed)
    throw new Error(messageOf(reason, texts.edit.failed), { cause: reason })
  }
}

const MAIL_CALLS = {
  resetLink: sendResetLink,
  resendInvitation,
  cancelInvitation,
} as const

function MailDialog({
  action,
  user,
  onDone,
  onClose,
}: UserDialogProps & { action: keyof typeof MAIL_CALLS }) {
  const { question, confirm, text } = texts[action]
  const isCancel = action === 'cancelInvitation'
  const submit = async () => {
    const call = MAIL_CALLS[action]
    const { message } = await withFailureToast(send(call, { params: { userId: user._id } }))
    toastSuccess(message)
    onDone()
  }
  return (
    <ConfirmDialog
      opened
      question={question}
      confirmLabel={confirm}
      cancelLabel={isCancel ? texts.cancelInvitation.keep : undefined}
      kind={isCancel ? 'danger' : 'ink'}
      description={
        <div className={styles.consequences}>
          <p className={styles.user}>{texts.nameAndEmail(user.name, user.email)}</p>
          <p>{text}</p>
        </div>
      }
      onConfirm={submit}
      onCancel={onClose}
    />
  )
}

function ActivationDialog({ user, onDone, onClose }: UserDialogProps) {
  const activation = user.activation === 'allow' ? 'block' : 'allow'
  const t = texts[activation]
  const submit = async () => {
    await withFailureToast(
      send(setUserActivation, { params: { userId: user._id }, body: { activation } }),
    )
    toastSuccess(texts.edit.done)
    onDone()
  }
  return (
    <ConfirmDialog
      opened
      question={t.question}
      confirmLabel={t.confirm}
      kind={activation === 'block' ? 'danger' : 'ink'}
      description={
        <div className={styles.consequences}>
          <p className={styles.user}>{texts.nameAndEmail(user.name, user.email)}</p>
          <p>{t.text}</p>
        </div>
      }
      onConfirm={submit}
      onCancel={onClose}
    />
  )
}

function DeleteUserDialog({ user, onDone, onClose }: UserDialogProps) {
  const { question, confirm, erased, kept, remaining } = texts.remove
  const submit = async () => {
    const { message } = await withFailureToast(send(deleteUser, { params: { userId: user._id } }))
    toastSuccess(message)
    onDone()
  }
  const description = (
    <div className={styles.consequences}>
      <p className={styles.user}>{texts.nameAndEmail(user.name, user.email)}</p>
      <p>{erased}</p>
      <p>{kept}</p>
      {user.balance > 0 && <p className={styles.user}>{remaining(usdFromDollars(user.balance))}</p>}
    </div>
  )
  return (
    <ConfirmDialog
      opened
      question={question}
      confirmLabel={confirm}
      description={description}
      onConfirm={submit}
      onCancel={onClose}
    />
  )
}
