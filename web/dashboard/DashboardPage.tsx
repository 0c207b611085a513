import { useEffect } from 'react'
import { refreshUser, useUser } from '#web/client/session.ts'
import { Activity } from './Activity.tsx'
import { DashboardFigures } from './DashboardFigures.tsx'
import { FirstRun } from './FirstRun.tsx'
import { RecentDeposits } from './RecentDeposits.tsx'
import { RecentOrders } from './RecentOrders.tsx'
import { Tasks } from './Tasks.tsx'
import styles from './Dashboard.module.css'

export function DashboardPage() {
  const { balance, totalDeposit, totalSpent } = useUser()
  // Labels may have been bought and deposits credited since the last load.
  useEffect(() => void refreshUser(), [])
  const used = balance !== 0 || totalDeposit !== 0 || totalSpent !== 0
  return (
    <div className={styles.page}>
      <DashboardFigures />
      <FirstRun />
      {used && <Tasks />}
      {totalSpent !== 0 && <Activity />}
      <div className={styles.lists}>
        <RecentOrders />
        <RecentDeposits />
      </div>
    </div>
  )
}
