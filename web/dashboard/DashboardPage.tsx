import { useEffect } from 'react'
import { queryKeys } from '#web/client/query-keys.ts'
import { refreshUser } from '#web/client/session.ts'
import { useShownAccount } from '#web/client/shown-account.tsx'
import { useFirstLoad } from '#web/client/use-first-load.ts'
import { Activity } from './Activity.tsx'
import { DashboardFigures } from './DashboardFigures.tsx'
import { FirstRun } from './FirstRun.tsx'
import { RecentDeposits } from './RecentDeposits.tsx'
import { RecentOrders } from './RecentOrders.tsx'
import { Tasks } from './Tasks.tsx'
import { UnusedFigures } from './UnusedFigures.tsx'
import styles from './Dashboard.module.css'

/** Also what an administrator sees of a user's dashboard. */
export function DashboardPage() {
  const { user, isLook } = useShownAccount()
  const { balance, totalDeposit, totalSpent } = user
  // Labels may have been bought and deposits credited since the last load.
  useEffect(() => void refreshUser(), [])
  const waiting = useFirstLoad(
    queryKeys.tasks(user._id),
    queryKeys.addresses(user._id),
    queryKeys.totalOrders(user._id),
    queryKeys.recentDeposits(user._id),
  )
  const used = balance !== 0 || totalDeposit !== 0 || totalSpent !== 0
  return (
    <div className={styles.page}>
      {used && <DashboardFigures />}
      {!isLook && <FirstRun />}
      {used && <Tasks />}
      <div className={styles.rest} data-waiting={waiting || undefined}>
        {/* Figures of zero are less use than the first steps. */}
        {!used && <UnusedFigures />}
        {totalSpent !== 0 && <Activity />}
        <div className={styles.lists}>
          <RecentOrders />
          <RecentDeposits />
        </div>
      </div>
    </div>
  )
}
