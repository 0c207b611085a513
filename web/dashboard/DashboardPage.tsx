import { useEffect } from 'react'
import { refreshUser } from '#web/client/session.ts'
import { useShownAccount } from '#web/client/shown-account.tsx'
import { Activity } from './Activity.tsx'
import { DashboardFigures } from './DashboardFigures.tsx'
import { FirstRun } from './FirstRun.tsx'
import { RecentDeposits } from './RecentDeposits.tsx'
import { RecentOrders } from './RecentOrders.tsx'
import { Tasks } from './Tasks.tsx'
import styles from './Dashboard.module.css'

/** Also what an administrator sees of a user's dashboard. */
export function DashboardPage() {
  const { user, isLook } = useShownAccount()
  const { balance, totalDeposit, totalSpent } = user
  // Labels may have been bought and deposits credited since the last load.
  useEffect(() => void refreshUser(), [])
  const used = balance !== 0 || totalDeposit !== 0 || totalSpent !== 0
  return (
    <div className={styles.page}>
      <DashboardFigures />
      {!isLook && <FirstRun />}
      {used && <Tasks />}
      {totalSpent !== 0 && <Activity />}
      <div className={styles.lists}>
        <RecentOrders />
        <RecentDeposits />
      </div>
    </div>
  )
}
