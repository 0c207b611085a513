import { useEffect, useState } from 'react'
import { serverNow } from '#web/client/server-clock.ts'
import { remainingText } from './invoice-steps.ts'
import styles from './PaymentCard.module.css'

/** Counts down each second. `until` in ms. Screen readers hear it only when they come to it. */
export function TimeLeft({ until }: { until: number }) {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <span role="timer" aria-live="off" className={styles.clock}>
      {remainingText(until, now)}
    </span>
  )
}
