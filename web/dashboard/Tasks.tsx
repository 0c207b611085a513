/** What needs doing: failed labels, open invoices, a balance that is almost used up. */
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconHourglass,
  IconReceiptDollar,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { countText, numberText, plural } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import type { TaskReport } from '#contract/reports.ts'
import { batchName } from '#web/batches/batch-view.ts'
import { useShownAccount } from '#web/client/shown-account.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { dateText, timeText } from '#web/ui/date-text.ts'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import type { Tone } from '#web/ui/tone.ts'
import { DateTime } from '#web/ui/Value.tsx'
import { texts } from './texts.ts'
import { useTaskReport } from './use-reports.ts'
import styles from './Tasks.module.css'

const t = texts.tasks

/** Bulk orders and invoices that are named one by one. */
const MAX_NAMED = 2

export function Tasks() {
  const { data, isError, refetch } = useTaskReport()
  return (
    <section className={styles.tasks} aria-label={useTitle()}>
      {data ? (
        <TaskRows report={data} />
      ) : isError ? (
        <LoadErrorNotice onRetry={() => void refetch()}>{t.failed}</LoadErrorNotice>
      ) : (
        <div aria-hidden="true">
          <div className={styles.title}>
            <Skeleton width="var(--dock)" height="1lh" />
          </div>
          <div className={styles.list}>
            <div className={styles.row}>
              <Skeleton width="80%" />
            </div>
            <div className={styles.row}>
              <Skeleton width="80%" />
            </div>
          </div>
        </div>
      )}
    </section>
  )
}

const useTitle = (): string => (useShownAccount().isLook ? t.titleOfOther : t.title)

function TaskRows({ report }: { report: TaskReport }) {
  const { isLook, pathOf } = useShownAccount()
  const title = useTitle()
  const rows = [
    ...failedRows(report.failedBatches),
    ...invoiceRows(report.openInvoices),
    ...(report.lowBalance ? [lowBalanceRow(report.lowBalance)] : []),
  ]
  if (rows.length === 0) {
    return (
      <p className={styles.row} data-tone="green">
        <IconCircleCheck aria-hidden="true" />
        <span>{t.none}</span>
      </p>
    )
  }
  return (
    <>
      <h2 className={styles.title}>{title}</h2>
      <ul className={styles.list}>
        {rows.map(({ key, tone, icon: TaskIcon, text, detail, page, action }) => (
          <li key={key} className={styles.row} data-tone={tone}>
            <TaskIcon aria-hidden="true" />
            <span className={styles.text}>
              {isLook ? <Link to={pathOf(page)!}>{text}</Link> : text}{' '}
              {detail && <span className={styles.detail}>{detail}</span>}
            </span>
            {!isLook && action}
          </li>
        ))}
      </ul>
    </>
  )
}

type TaskRow = {
  key: string
  tone: Tone
  icon: Icon
  text: string
  detail?: ReactNode
  /** Where an administrator who looks at the account reads more of it. */
  page: '/main/batch-orders' | '/main/deposit'
  action: ReactNode
}

function failedRows({ count, batches }: TaskReport['failedBatches']): TaskRow[] {
  const named = batches.slice(0, MAX_NAMED)
  const rows: TaskRow[] = named.map(({ orderId, name, labels, createdAt }) => ({
    key: `batch.${orderId}`,
    tone: 'red',
    icon: IconAlertTriangle,
    text: t.failedLabels(countText(labels, texts.label)),
    detail: (
      <>
        {batchName({ _id: orderId, fileName: name })}, <DateTime at={createdAt} day />
      </>
    ),
    page: '/main/batch-orders',
    action: (
      <ButtonLink
        size="small"
        to={`/main/bulk-order?failed=${orderId}`}
        aria-label={t.fixOf(
          countText(labels, texts.label),
          batchName({ _id: orderId, fileName: name }),
        )}
      >
        {t.fix(countText(labels, texts.label))}
      </ButtonLink>
    ),
  }))
  const more = count - named.length
  if (more > 0) {
    rows.push({
      key: 'batches',
      tone: 'red',
      icon: IconAlertTriangle,
      text: t.moreBatches(countText(more, t.bulkOrder), plural(more, t.has, t.have)),
      page: '/main/batch-orders',
      action: (
        <ButtonLink size="small" to="/main/batch-orders">
          {t.showBatches}
        </ButtonLink>
      ),
    })
  }
  return rows
}

function invoiceRows({ count, invoices }: TaskReport['openInvoices']): TaskRow[] {
  const [newest] = invoices
  if (!newest) return []
  const { invoiceId, paid, expiresAt } = newest
  return [
    {
      key: `invoice.${invoiceId}`,
      tone: paid > 0 ? 'blue' : 'yellow',
      icon: IconReceiptDollar,
      text:
        paid > 0
          ? t.invoiceSeen(usdFromDollars(paid))
          : count > 1
            ? t.invoicesOpen(numberText(count))
            : t.invoiceOpen,
      detail: paid > 0 ? t.invoiceSeenText : t.until(dateText(expiresAt), timeText(expiresAt)),
      page: '/main/deposit',
      action: (
        <ButtonLink size="small" to="/main/deposit">
          {paid > 0 ? t.showInvoice : t.pay}
        </ButtonLink>
      ),
    },
  ]
}

const lowBalanceRow = ({ daysLeft, pace }: NonNullable<TaskReport['lowBalance']>): TaskRow => ({
  key: 'balance',
  tone: 'yellow',
  icon: IconHourglass,
  text: daysLeft > 0 ? t.lowBalance(countText(daysLeft, t.day)) : t.emptyBalance,
  detail: t.pace(usdFromDollars(pace.perDay)),
  page: '/main/deposit',
  action: (
    <ButtonLink size="small" to="/main/deposit">
      {texts.topUp}
    </ButtonLink>
  ),
})
