import type { ReactNode } from 'react'
import { DateTime } from '#web/ui/Value.tsx'
import { texts } from './texts.ts'
import styles from './AdminDashboard.module.css'

type TaskGroupProps = {
  title: string
  since: string | null
  text: string
  /** What can be done about it. */
  children?: ReactNode
}

export const TaskGroup = ({ title, since, text, children }: TaskGroupProps) => (
  <div className={styles.group}>
    <div className={styles.taskHead}>
      <h3 className={styles.groupTitle}>{title}</h3>
      {since && (
        <span className={styles.quiet}>
          {texts.work.since} <DateTime at={since} />
        </span>
      )}
    </div>
    <p className={styles.detailLine}>{text}</p>
    {children && <div className={styles.taskAction}>{children}</div>}
  </div>
)
