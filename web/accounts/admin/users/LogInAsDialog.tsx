import { useState } from 'react'
import { useNavigate } from 'react-router'
import { loginAs, REASON_MAX } from '#contract/accounts.ts'
import type { AdminUser } from '#contract/accounts.ts'
import { messageOf, send } from '#web/client/send.ts'
import { enterImpersonation, useSession } from '#web/client/session.ts'
import { TextField } from '#web/ui/Field.tsx'
import { SmallFormDialog } from '#web/ui/SmallFormDialog.tsx'
import { dismissSuccessToasts, toastError, toastSuccess } from '#web/ui/toasts.ts'
import { texts } from './texts.ts'
import styles from './Users.module.css'

/** How long the success message shows before the page changes. */
const REDIRECT_MS = 1500

/** Signs in as the user, with an optional reason for the audit. */
export function LogInAsDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const navigate = useNavigate()
  const [reason, setReason] = useState('')
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const submit = async () => {
    setFailure(null)
    setBusy(true)
    const { token } = useSession.getState()
    try {
      const given = await send(loginAs, {
        params: { userId: user._id },
        body: { reason: reason.trim() || undefined },
      })
      toastSuccess(texts.logIn.done)
      await new Promise(done => setTimeout(done, REDIRECT_MS))
      // The session has changed meanwhile, so this sign-in no longer applies.
      if (useSession.getState().token !== token) return
      enterImpersonation(given)
      await navigate('/main/dashboard')
      // It says 'Redirecting...', which is over.
      dismissSuccessToasts()
    } catch (refused) {
      toastError(texts.logIn.failed)
      setFailure(messageOf(refused, texts.logIn.failed))
      setBusy(false)
    }
  }

  return (
    <SmallFormDialog
      title={texts.logIn.title(user.name)}
      refused={failure}
      submitText={texts.logIn.confirm}
      busy={busy}
      wait={busy ? texts.logIn.wait : null}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className={styles.email}>{user.email}</p>
      <p>{texts.logIn.text}</p>
      <TextField
        label={texts.logIn.reason}
        description={texts.logIn.reasonHint}
        error={null}
        autoComplete="off"
        maxLength={REASON_MAX}
        data-autofocus
        value={reason}
        onChange={event => setReason(event.currentTarget.value)}
      />
    </SmallFormDialog>
  )
}
