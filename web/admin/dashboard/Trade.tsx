/** Today, seven days, thirty days beside each other: a table, on phones a card for each. */
import type { Period } from '#contract/admin.ts'
import { PERIODS } from '#contract/admin.ts'
import { dateText, timeText } from '#contract/format.ts'
import { Card } from '#web/ui/Card.tsx'
import { usePhone } from '#web/ui/use-phone.ts'
import { Coming } from './Coming.tsx'
import { LINES } from './figures.ts'
import type { Line } from './figures.ts'
import { texts as all } from './texts.ts'
import styles from './AdminDashboard.module.css'

const texts = all.trade

type TradeProps = {
  /** Undefined while they are coming. */
  periods: Period[] | undefined
  /** When they came, in ms; `stale` when they could not be had anew since. */
  at: number
  stale: boolean
}

export function Trade({ periods, at, stale }: TradeProps) {
  const phone = usePhone()
  return (
    <Card
      title={texts.title}
      className={styles.trade}
      action={
        periods && (
          <span
            className={styles.asOf}
            role={stale ? 'alert' : undefined}
            data-tone={stale ? 'yellow' : undefined}
          >
            {stale ? texts.stale : texts.asOf}{' '}
            <time dateTime={new Date(at).toISOString()}>{timeText(at)}</time>
          </span>
        )
      }
    >
      {phone ? <Cards periods={periods} /> : <Table periods={periods} />}
    </Card>
  )
}

/** The first day of a period of several. */
function Since({ from }: { from: string }) {
  return (
    <span className={styles.since}>
      {texts.since} <time dateTime={from}>{dateText(from)}</time>
    </span>
  )
}

function Value({ line, period }: { line: Line; period: Period | undefined }) {
  if (!period) return <Coming />
  const detail = line.detail?.(period)
  return (
    <>
      {line.value(period)}
      {detail && <span className={styles.detail}>{detail}</span>}
    </>
  )
}

function Table({ periods }: { periods: Period[] | undefined }) {
  return (
    <table className={styles.table} aria-busy={periods === undefined || undefined}>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{texts.figure}</span>
          </th>
          {PERIODS.map((days, at) => (
            <th key={days} scope="col">
              {texts.period(days)}
              {periods?.[at] && days > 1 && <Since from={periods[at].from} />}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {LINES.map(line => (
          <tr key={line.name}>
            <th scope="row">{line.name}</th>
            {PERIODS.map((days, at) => (
              <td key={days}>
                <Value line={line} period={periods?.[at]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Cards({ periods }: { periods: Period[] | undefined }) {
  return PERIODS.map((days, at) => (
    <section key={days} className={styles.period}>
      <h3 className={styles.periodName}>
        {texts.period(days)}
        {periods?.[at] && days > 1 && <Since from={periods[at].from} />}
      </h3>
      <dl className={styles.list}>
        {LINES.map(line => (
          <div key={line.name} className={styles.line}>
            <dt>{line.name}</dt>
            <dd>
              <Value line={line} period={periods?.[at]} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  ))
}
