import { signedUsd, usdFromDollars } from '#contract/money.ts'
/** Values that are formatted the same everywhere. */
import { dateText, timeWithSecondsText, timeText } from './date-text.ts'
import styles from './Value.module.css'

/** Dollars as they come over the wire; `signed`: what was added has a plus. */
export function Money({
  dollars,
  signed = false,
  className,
}: {
  dollars: number
  signed?: boolean
  className?: string
}) {
  return <span className={className}>{signed ? signedUsd(dollars) : usdFromDollars(dollars)}</span>
}

/**
 * A moment in the reader's time zone, inside `<time>`. `at`: ISO text, milliseconds or a Date.
 * `stacked` puts the time under the day, as tables do; `exact` says the second, too.
 */
export function DateTime({
  at,
  stacked = false,
  exact = false,
}: {
  at: string | number | Date
  stacked?: boolean
  exact?: boolean
}) {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return <span>–</span>
  return (
    <time dateTime={date.toISOString()} className={stacked ? styles.stacked : styles.line}>
      {dateText(date)}{' '}
      <span className={styles.minute}>{exact ? timeWithSecondsText(date) : timeText(date)}</span>
    </time>
  )
}

/** A line and a smaller second one, for table cells: a name over a place. */
export function TwoLines({ first, second }: { first: string; second: string }) {
  return (
    <span className={styles.two}>
      <span>{first}</span> <span className={styles.second}>{second}</span>
    </span>
  )
}
