import { useEffect } from 'react'
import { refreshUser } from '#web/client/session.ts'
import { DashboardFigures } from './DashboardFigures.tsx'
import { RecentDeposits } from './RecentDeposits.tsx'
import { RecentOrders } from './RecentOrders.tsx'
import styles from './Dashboard.module.css'

export function DashboardPage() {
  // Labels may have been bought and deposits credited since the last load.
  useEffect(() => void refreshUser(), [])
  return (
    <div className={styles.page}>
      <DashboardFigures />
      <div className={styles.lists}>
        <RecentOrders />
        <RecentDeposits />
      </div>
    </div>
  )
}
