/** Voided labels that the carrier scanned: who, which label, refunded when, scanned when. */
import { listVoidedScans } from '#contract/admin.ts'
import type { VoidedScan } from '#contract/admin.ts'
import { groupTracking } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { send } from '#web/client/send.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { dateText } from '#web/ui/date-text.ts'
import { TASKS_PAGE_SIZE, Task, TaskList } from './TaskList.tsx'
import { texts } from './texts.ts'

const t = texts.work

const loadScans = async (page: number, signal: AbortSignal) =>
  (await send(listVoidedScans, { query: { page, limit: TASKS_PAGE_SIZE } }, { signal })).labels

export function VoidedScanTasks({ total }: { total: number }) {
  return (
    <TaskList
      kind="scans"
      title={t.scans(total)}
      total={total}
      load={loadScans}
      failed={t.scansFailed}
    >
      {label => <VoidedScanTask key={label.orderId} label={label} />}
    </TaskList>
  )
}

function VoidedScanTask({
  label: { orderId, user, trackingNumber, price, refundedAt, scannedAt },
}: {
  label: VoidedScan
}) {
  const number = groupTracking(trackingNumber)
  return (
    <Task
      title={t.scanOf(number)}
      user={user}
      detail={t.scanText(usdFromDollars(price), dateText(new Date(refundedAt)))}
      at={scannedAt}
      action={
        <ButtonLink
          size="small"
          to={`/admin/order-label-management/${orderId}`}
          aria-label={t.showLabelOf(number)}
        >
          {t.showLabel}
        </ButtonLink>
      }
    />
  )
}
