/** Money and dates in one format. */
import type { ReactNode } from 'react'
import {
  dateText,
  longDateTimeText,
  relativeTimeText,
  timeText,
  timeWithSecondsText,
} from './date-text.ts'
import { moneyText, signedMoneyText } from './money-text.ts'
import styles from './Value.module.css'

/** `signed` gives positive amounts a plus. */
export function Money({
  dollars,
  signed = false,
  className,
}: {
  dollars: number
  signed?: boolean
  className?: string
}) {
  return <span className={className}>{signed ? signedMoneyText(dollars) : moneyText(dollars)}</span>
}

/**
 * In the reader's time zone. `at` is ISO text, ms or a Date. `stacked` puts the time below the day; `exact` adds seconds;
 * `day` leaves the time out, `clock` the day, which is shown above; a screen reader still reads it.
 */
export function DateTime({
  at,
  stacked = false,
  exact = false,
  day = false,
  clock = false,
}: {
  at: string | number | Date
  stacked?: boolean
  exact?: boolean
  day?: boolean
  clock?: boolean
}) {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return <span>–</span>
  return (
    <time
      dateTime={date.toISOString()}
      title={longDateTimeText(date)}
      className={stacked ? styles.stacked : styles.line}
    >
      {clock ? <span className="visually-hidden">{dateText(date)} </span> : dateText(date)}
      {!day && (
        <>
          {!clock && ' '}
          <span className={styles.minute}>
            {exact ? timeWithSecondsText(date) : timeText(date)}
          </span>
        </>
      )}
    </time>
  )
}

/** '5 minutes ago'; its title is the moment. `now` in ms: the caller renders it again as time goes by. */
export const RelativeTime = ({ at, now }: { at: string; now: number }) => (
  <time dateTime={at} title={longDateTimeText(at)} className={styles.line}>
    {relativeTimeText(at, now)}
  </time>
)

/** For table cells: a line over a smaller one. */
export function TwoLines({ first, second }: { first: ReactNode; second: ReactNode }) {
  return (
    <span className={styles.two}>
      <span>{first}</span> <span className={styles.second}>{second}</span>
    </span>
  )
}
