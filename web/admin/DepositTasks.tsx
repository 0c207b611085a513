/** Deposits to review: late, partial or reversed payments, each with its possible decisions. */
import { usdFromDollars } from '#contract/money.ts'
import { listDepositsInReview } from '#contract/payments.ts'
import { send } from '#web/client/send.ts'
import { Button } from '#web/ui/Button.tsx'
import { secondsToMs } from '#web/ui/date-text.ts'
import { TASKS_PAGE_SIZE, Task, TaskList } from './TaskList.tsx'
import { texts } from './texts.ts'
import type { DepositDecision, DepositToReview } from './use-deposit-decision.tsx'
import styles from './AdminDashboard.module.css'

const t = texts.work

const loadDepositsInReview = async (page: number, signal: AbortSignal) =>
  (await send(listDepositsInReview, { query: { page, limit: TASKS_PAGE_SIZE } }, { signal }))
    .deposits

export function DepositTasks({
  total,
  onDecide,
}: {
  total: number
  onDecide: (deposit: DepositToReview, decision: DepositDecision) => void
}) {
  return (
    <TaskList
      kind="deposits"
      title={t.deposits(total)}
      total={total}
      load={loadDepositsInReview}
      failed={t.depositsFailed}
    >
      {deposit => (
        <DepositTask
          key={deposit._id}
          deposit={deposit}
          onDecide={decision => onDecide(deposit, decision)}
        />
      )}
    </TaskList>
  )
}

function DepositTask({
  deposit,
  onDecide,
}: {
  deposit: DepositToReview
  onDecide: (decision: DepositDecision) => void
}) {
  const { userId, userName, userEmail, amount, creditable, owed, takeable, note, createdTime } =
    deposit
  const [paid, credit, back] = [
    usdFromDollars(amount),
    usdFromDollars(creditable),
    usdFromDollars(takeable),
  ]
  return (
    <Task
      title={t.paid(paid)}
      user={{ _id: userId, name: userName, email: userEmail }}
      detail={note}
      at={secondsToMs(createdTime)}
      action={
        <div className={styles.decisions}>
          {creditable > 0 && (
            <Button
              size="small"
              aria-label={t.creditFor(credit, userName)}
              onClick={() => onDecide('credit')}
            >
              {t.credit(credit)}
            </Button>
          )}
          {takeable > 0 && (
            <Button
              size="small"
              aria-label={t.reverseFrom(back, userName)}
              onClick={() => onDecide('reverse')}
            >
              {t.reverse(back)}
            </Button>
          )}
          {creditable === 0 && takeable === 0 && (
            <span className={styles.quiet}>
              {owed > 0 ? t.owed(usdFromDollars(owed)) : t.nothingToCredit}
            </span>
          )}
          <Button
            kind="quiet"
            size="small"
            aria-label={t.dismissOf(paid, userName)}
            onClick={() => onDecide('dismiss')}
          >
            {t.dismiss}
          </Button>
        </div>
      }
    />
  )
}
