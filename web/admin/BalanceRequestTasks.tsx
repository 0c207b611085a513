/** Adjustments of balances that wait for a second administrator. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import { confirmBalanceRequest, declineBalanceRequest, REASON_MAX } from '#contract/accounts.ts'
import type { BalanceRequest } from '#contract/accounts.ts'
import { usdFromDollars } from '#contract/money.ts'
import { orMessage, send } from '#web/client/send.ts'
import { useAction } from '#web/client/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { signedMoneyText } from '#web/ui/money-text.ts'
import { SmallFormDialog } from '#web/ui/SmallFormDialog.tsx'
import { texts as uiTexts } from '#web/ui/texts.ts'
import { toastSuccess } from '#web/ui/toasts.ts'
import { Task } from './TaskList.tsx'
import { texts } from './texts.ts'
import { useRefreshAll } from './use-dashboard.ts'
import styles from './AdminDashboard.module.css'

const t = texts.balanceRequests

type Decision = 'confirm' | 'decline' | 'withdraw'

const fromTo = ({ balance, difference }: BalanceRequest): string =>
  t.fromTo(
    usdFromDollars(balance),
    usdFromDollars(balance + difference),
    signedMoneyText(difference),
  )

export function BalanceRequestTasks({
  requests,
  onDecide,
}: {
  requests: BalanceRequest[]
  onDecide: (request: BalanceRequest, decision: Decision) => void
}) {
  return (
    <div className={styles.group}>
      <h3 className={styles.groupTitle}>{t.title(requests.length)}</h3>
      <ul className={styles.tasks}>
        {requests.map(request => (
          <Task
            key={request._id}
            title={fromTo(request)}
            user={request.user}
            detail={t.askedBy(request.mine ? null : request.askedBy.name, request.reason)}
            at={request.askedAt}
            action={
              request.mine ? (
                <div className={styles.decisions}>
                  <span className={styles.quiet}>{t.mine}</span>
                  <Button
                    size="small"
                    aria-label={t.withdrawOf(
                      signedMoneyText(request.difference),
                      request.user.name,
                    )}
                    onClick={() => onDecide(request, 'withdraw')}
                  >
                    {t.withdraw}
                  </Button>
                </div>
              ) : (
                <div className={styles.decisions}>
                  <Button
                    size="small"
                    aria-label={t.confirmOf(signedMoneyText(request.difference), request.user.name)}
                    onClick={() => onDecide(request, 'confirm')}
                  >
                    {t.confirm}
                  </Button>
                  <Button
                    size="small"
                    aria-label={t.declineOf(signedMoneyText(request.difference), request.user.name)}
                    onClick={() => onDecide(request, 'decline')}
                  >
                    {t.decline}
                  </Button>
                </div>
              )
            }
          />
        ))}
      </ul>
    </div>
  )
}

/** The dialogs of all decisions. The request may have left the list before the administrator confirms. */
export function useBalanceDecision(onDone: () => void) {
  const refresh = useRefreshAll()
  const [opened, setOpened] = useState<Decision | null>(null)
  // While the dialog fades out it still shows the last request.
  const [shown, setShown] = useState<BalanceRequest | null>(null)
  const open = (request: BalanceRequest, decision: Decision) => {
    setShown(request)
    setOpened(decision)
  }
  const close = () => setOpened(null)
  const decide = async (work: Promise<{ message: string }>) => {
    try {
      toastSuccess((await work).message)
    } catch (failure) {
      // Without a response it may have been done; or another administrator was first.
      void refresh()
      throw failure
    }
    await refresh()
    close()
    onDone()
  }
  const facts = shown && (
    <>
      <p className={styles.taskTitle}>{fromTo(shown)}</p>
      <p>{t.person(shown.user.name, shown.user.email)}</p>
      <p>{t.askedBy(shown.mine ? null : shown.askedBy.name, shown.reason)}</p>
    </>
  )
  const params = { requestId: shown?._id ?? '' }
  const dialog = shown && (
    <>
      <ConfirmDialog
        opened={opened === 'confirm'}
        kind="ink"
        question={t.confirmQuestion}
        confirmLabel={t.confirm}
        description={facts}
        onConfirm={() => orMessage(decide(send(confirmBalanceRequest, { params })), t.failed)}
        onCancel={close}
      />
      <ConfirmDialog
        opened={opened === 'withdraw'}
        question={t.withdrawQuestion}
        confirmLabel={t.withdraw}
        description={facts}
        onConfirm={() =>
          orMessage(decide(send(declineBalanceRequest, { params, body: {} })), t.failed)
        }
        onCancel={close}
      />
      {opened === 'decline' && (
        <DeclineDialog
          facts={facts}
          onClose={close}
          onDecline={reason => decide(send(declineBalanceRequest, { params, body: { reason } }))}
        />
      )}
    </>
  )
  return { open, dialog }
}

type DeclineProps = {
  facts: ReactNode
  onClose: () => void
  onDecline: (reason: string | undefined) => Promise<void>
}

function DeclineDialog({ facts, onClose, onDecline }: DeclineProps) {
  const [reason, setReason] = useState('')
  const { busy, refused, run } = useAction(t.failed)
  return (
    <SmallFormDialog
      title={t.declineQuestion}
      refused={refused}
      submitText={t.decline}
      busy={busy}
      wait={busy ? uiTexts.wait : null}
      onSubmit={() => run(() => onDecline(reason.trim() || undefined))}
      onClose={onClose}
    >
      <div>{facts}</div>
      <TextField
        label={t.reason}
        description={t.reasonHint}
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
