/** What carriers owe for labels whose void they have not confirmed. */
import { useQuery } from '@tanstack/react-query'
import { usdFromDollars } from '#contract/money.ts'
import { refundsDue } from '#contract/refunds.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { DateTime } from '#web/ui/Value.tsx'
import { texts } from './texts.ts'
import { DASHBOARD_REFRESH_MS } from './use-dashboard.ts'
import styles from './AdminDashboard.module.css'

const t = texts.work.due

export function RefundsDue() {
  const { _id } = useUser()
  const { data, isError, refetch } = useQuery({
    queryKey: queryKeys.refundsDue(_id),
    queryFn: ({ signal }) => send(refundsDue, {}, { signal }),
    refetchInterval: DASHBOARD_REFRESH_MS,
  })
  if (!data)
    return isError ? (
      <LoadErrorNotice onRetry={() => void refetch()}>{t.failed}</LoadErrorNotice>
    ) : null
  return data.accounts.map(
    ({ account, count, carrierOwes, unknownCosts, customersGet, oldest, ages }) => (
      <div key={account}>
        <p className={styles.groupTitle}>{t.title(account)}</p>
        <p className={styles.detailLine}>
          {t.owes(usdFromDollars(carrierOwes), count, unknownCosts)}.{' '}
          {t.customers(usdFromDollars(customersGet))} {t.oldest} <DateTime at={oldest} />.
        </p>
        {ages.length > 1 && (
          <ul>
            {ages.map(age => (
              <li key={age.fromDays} className={styles.detailLine}>
                {t.age(age.fromDays, usdFromDollars(age.carrierOwes), age.count)}
              </li>
            ))}
          </ul>
        )}
      </div>
    ),
  )
}
