/** The user's address, which is read-only, and the button that changes it. */
import { useState } from 'react'
import { cancelEmailChange } from '#contract/email-ownership.ts'
import { rowValue, SettingsRow, WithButton } from '#web/accounts/Settings.tsx'
import { texts as accountTexts } from '#web/accounts/texts.ts'
import { messageOf, send } from '#web/client/send.ts'
import { useIsSupport, useUser } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { useOpened } from '#web/ui/use-opened.ts'
import { ChangeEmailDialog } from './ChangeEmailDialog.tsx'
import { texts } from './texts.ts'
import { UnverifiedNotice } from './UnverifiedNotice.tsx'
import { useEmailStatus } from './use-email-status.ts'

const words = accountTexts.account
const FIELD_ID = 'account-email'

export function EmailRow() {
  const { email } = useUser()
  const isSupport = useIsSupport()
  const { status, refresh } = useEmailStatus()
  const { opened: changing, open, close } = useOpened<{ from: string }>()
  return (
    <SettingsRow title={accountTexts.email} text={words.emailHint} fieldId={FIELD_ID}>
      <WithButton>
        <TextField
          {...rowValue(FIELD_ID, words.emailHint)}
          error={null}
          type="email"
          name="email"
          autoComplete="username"
          value={email}
          readOnly
        />
        {!isSupport && (
          <Button aria-label={texts.change.button} onClick={() => open({ from: email })}>
            {words.changeIt}
          </Button>
        )}
      </WithButton>
      <UnverifiedNotice onAccount />
      {status?.pending && !isSupport && (
        <PendingChange email={status.pending.email} refresh={refresh} />
      )}
      {changing && <ChangeEmailDialog onAsked={refresh} onClose={() => close(changing)} />}
    </SettingsRow>
  )
}

function PendingChange({ email, refresh }: { email: string; refresh: () => Promise<void> }) {
  const { _id: userId } = useUser()
  const [busy, setBusy] = useState(false)
  const cancel = async () => {
    setBusy(true)
    try {
      toastSuccess((await send(cancelEmailChange, { params: { userId } })).message)
    } catch (reason) {
      toastError(messageOf(reason, texts.failed))
    } finally {
      await refresh()
      setBusy(false)
    }
  }
  return (
    <Notice
      tone="blue"
      action={
        <Button busy={busy} onClick={() => void cancel()}>
          {texts.pending.cancel}
        </Button>
      }
    >
      {texts.pending.waits(email)}
    </Notice>
  )
}
