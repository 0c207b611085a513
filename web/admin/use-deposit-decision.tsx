/** Decisions on a deposit: credit, reverse or dismiss, each with a confirmation. */
import { useState } from 'react'
import { REASON_MAX } from '#contract/accounts.ts'
import type { ResponseData } from '#contract/endpoint.ts'
import { usdFromDollars } from '#contract/money.ts'
import { creditDeposit, dismissDeposit, reverseDeposit } from '#contract/payments.ts'
import type { listDepositsInReview } from '#contract/payments.ts'
import { messageOf, send } from '#web/client/send.ts'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { SmallFormDialog } from '#web/ui/SmallFormDialog.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import { texts } from './texts.ts'
import { useRefreshAll } from './use-dashboard.ts'

const t = texts.work

export type DepositToReview = ResponseData<typeof listDepositsInReview>['deposits'][number]
export type DepositDecision = 'credit' | 'reverse' | 'dismiss'

/** The deposit may have left the list before the operator confirms. */
export function useDepositDecision(onDone: () => void) {
  const refresh = useRefreshAll()
  const [opened, setOpened] = useState<DepositDecision | null>(null)
  // While the dialog fades out it still shows the last deposit.
  const [shown, setShown] = useState<DepositToReview | null>(null)
  const open = (deposit: DepositToReview, decision: DepositDecision) => {
    setShown(deposit)
    setOpened(decision)
  }
  const close = () => setOpened(null)
  const decide =
    (work: (params: { id: string }) => Promise<{ message: string }>, failed: string) =>
    async () => {
      try {
        toastSuccess((await work({ id: shown!.invoiceId })).message)
      } catch (reason) {
        // Without a response it may have been done; or another operator was first.
        void refresh()
        throw new Error(messageOf(reason, failed))
      }
      await refresh()
      close()
      onDone()
    }
  const dialog = shown && (
    <>
      <ConfirmDialog
        opened={opened === 'credit'}
        kind="ink"
        question={t.confirmCredit}
        confirmLabel={t.credit(usdFromDollars(shown.creditable))}
        description={t.creditText(
          usdFromDollars(shown.creditable),
          shown.userName,
          shown.userEmail,
        )}
        onConfirm={decide(params => send(creditDeposit, { params }), t.creditFailed)}
        onCancel={close}
      />
      <ConfirmDialog
        opened={opened === 'reverse'}
        question={t.confirmReverse}
        confirmLabel={t.reverse(usdFromDollars(shown.takeable))}
        description={t.reverseText(
          usdFromDollars(shown.takeable),
          usdFromDollars(shown.owed),
          shown.userName,
          shown.userEmail,
        )}
        onConfirm={decide(params => send(reverseDeposit, { params }), t.reverseFailed)}
        onCancel={close}
      />
      {opened === 'dismiss' && (
        <DismissDialog
          deposit={shown}
          onClose={close}
          onDismiss={reason =>
            decide(
              params => send(dismissDeposit, { params, body: { reason, seen: shown.seen } }),
              t.dismissFailed,
            )()
          }
        />
      )}
    </>
  )
  return { open, dialog }
}

type DismissProps = {
  deposit: DepositToReview
  onClose: () => void
  /** Throws an Error with what to show. */
  onDismiss: (reason: string) => Promise<void>
}

function DismissDialog({ deposit, onClose, onDismiss }: DismissProps) {
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    setFailure(null)
    if (reason.trim() === '') return setMissing(true)
    setBusy(true)
    try {
      await onDismiss(reason.trim())
    } catch (refused) {
      setFailure(refused instanceof Error ? refused.message : t.dismissFailed)
      setBusy(false)
    }
  }
  const change = (text: string) => {
    setReason(text)
    setMissing(false)
  }
  return (
    <SmallFormDialog
      title={t.confirmDismiss}
      refused={failure}
      submitText={t.dismiss}
      busy={busy}
      wait={busy ? t.wait : null}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{t.dismissText(usdFromDollars(deposit.amount), deposit.userName, deposit.userEmail)}</p>
      <TextField
        label={t.reason}
        description={t.reasonHint}
        error={missing ? t.reasonMissing : null}
        required
        autoComplete="off"
        maxLength={REASON_MAX}
        data-autofocus
        value={reason}
        onChange={event => change(event.currentTarget.value)}
      />
    </SmallFormDialog>
  )
}
