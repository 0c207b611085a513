import { useState } from 'react'
import { isoDay } from '#web/ui/calendar.ts'
import { longDateText } from '#web/ui/date-text.ts'
import { arrivalDays, arrivalDayText } from './arrival.ts'
import { texts } from './texts.ts'
import styles from './ServicePriceList.module.css'

/** 'Mon 30-11 to Thu 03-12', of a parcel that the carrier gets today. */
export function ServiceArrival({ days }: { days: { from: number; to: number } }) {
  // Each parcel mounts it again.
  const [today] = useState(() => new Date())
  const { first, last } = arrivalDays(days, today)
  return (
    <>
      <Day day={first} />
      {days.to > days.from && (
        <>
          {' '}
          {texts.untilDay} <Day day={last} />
        </>
      )}
    </>
  )
}

const Day = ({ day }: { day: Date }) => (
  <time className={styles.day} dateTime={isoDay(day)} title={longDateText(day)}>
    {arrivalDayText(day)}
  </time>
)
