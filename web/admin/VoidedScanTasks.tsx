/** Voided labels that the carrier scanned, with a button that charges the refund back. */
import { useState } from 'react'
import { listVoidedScans } from '#contract/admin.ts'
import type { VoidedScan } from '#contract/admin.ts'
import { groupTracking } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { chargeVoidedScan } from '#contract/refunds.ts'
import { orMessage, send } from '#web/client/send.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { dateText } from '#web/ui/date-text.ts'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import { TASKS_PAGE_SIZE, Task, TaskList } from './TaskList.tsx'
import { texts } from './texts.ts'
import { useRefreshAll } from './use-dashboard.ts'
import styles from './AdminDashboard.module.css'

const t = texts.work

const loadScans = async (page: number, signal: AbortSignal) =>
  (await send(listVoidedScans, { query: { page, limit: TASKS_PAGE_SIZE } }, { signal })).labels

export function VoidedScanTasks({ total, onDone }: { total: number; onDone: () => void }) {
  return (
    <TaskList
      kind="scans"
      title={t.scans(total)}
      total={total}
      load={loadScans}
      failed={t.scansFailed}
    >
      {label => <VoidedScanTask key={label.orderId} label={label} onDone={onDone} />}
    </TaskList>
  )
}

function VoidedScanTask({
  label: { orderId, user, trackingNumber, price, refundedAt, scannedAt },
  onDone,
}: {
  label: VoidedScan
  onDone: () => void
}) {
  const refresh = useRefreshAll()
  const [asking, setAsking] = useState(false)
  const number = groupTracking(trackingNumber)
  const amount = usdFromDollars(price)
  const charge = async () => {
    const charged = send(chargeVoidedScan, { params: { orderId } })
    toastSuccess((await orMessage(charged, t.chargeFailed)).message)
    setAsking(false)
    await refresh()
    onDone()
  }
  return (
    <Task
      title={t.scanOf(number)}
      user={user}
      detail={
        refundedAt === null
          ? t.scanStopped(amount)
          : t.scanText(amount, dateText(new Date(refundedAt)))
      }
      at={scannedAt}
      action={
        <div className={styles.decisions}>
          <ButtonLink
            size="small"
            to={`/admin/order-label-management/${orderId}`}
            aria-label={t.showLabelOf(number)}
          >
            {t.showLabel}
          </ButtonLink>
          {price > 0 && refundedAt !== null && (
            <Button
              size="small"
              aria-label={t.chargeBackOf(amount, number, user.name)}
              onClick={() => setAsking(true)}
            >
              {t.chargeBack(amount)}
            </Button>
          )}
          <ConfirmDialog
            opened={asking}
            kind="ink"
            question={t.confirmChargeBack}
            description={t.chargeBackText(amount, user.name, user.email, number)}
            confirmLabel={t.chargeBack(amount)}
            onConfirm={charge}
            onCancel={() => setAsking(false)}
          />
        </div>
      }
    />
  )
}
