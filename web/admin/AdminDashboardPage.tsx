import { useState } from 'react'
import type { ReportDays } from '#contract/reports.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { useUser } from '#web/client/session.ts'
import { useFirstLoad } from '#web/client/use-first-load.ts'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { BooksMonths } from './BooksMonths.tsx'
import { LedgerCheckCard } from './LedgerCheckCard.tsx'
import { OperatorTasks } from './OperatorTasks.tsx'
import { Overview } from './Overview.tsx'
import { SalesFigures } from './SalesFigures.tsx'
import { texts } from './texts.ts'
import { CustomerMargins, FailureReasons, ServiceMargins, TradeCard } from './Trade.tsx'
import { useDashboard } from './use-dashboard.ts'
import styles from './AdminDashboard.module.css'

/** The admin dashboard: liabilities, pending work, sales, and a check of the books. */
export function AdminDashboardPage() {
  const { _id } = useUser()
  const [days, setDays] = useState<ReportDays>(30)
  const { data, isError, isFetching, dataUpdatedAt, refetch } = useDashboard()
  const waiting = useFirstLoad(queryKeys.adminDashboard(_id))
  if (isError && !data)
    return (
      <LoadErrorNotice retrying={isFetching} onRetry={() => void refetch()}>
        {texts.failed}
      </LoadErrorNotice>
    )
  return (
    <div className={styles.page}>
      <Overview data={data} />
      <div className={styles.columns} data-waiting={waiting || undefined}>
        <div className={styles.column}>
          <OperatorTasks
            work={data?.work}
            problem={data?.carrierProblem ?? null}
            setup={data?.setup ?? []}
          />
          <FailureReasons days={days} />
          <ServiceMargins days={days} />
        </div>
        <div className={styles.column}>
          <TradeCard days={days} onDays={setDays} />
          <SalesFigures periods={data?.periods} at={dataUpdatedAt} stale={isError} />
        </div>
        <div className={styles.column}>
          <CustomerMargins days={days} />
          <LedgerCheckCard />
        </div>
      </div>
      <BooksMonths />
    </div>
  )
}
