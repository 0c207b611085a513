/** The history of a label, oldest first. */
import { signedUsd, usdFromDollars } from '#contract/money.ts'
import type { TimelineStep } from '#contract/orders-admin.ts'
import type { Tone } from '#web/ui/tone.ts'
import { DateTime } from '#web/ui/Value.tsx'
import { texts } from './texts.ts'
import styles from './LabelDetails.module.css'

const t = texts.details

const STEP_TONE: Record<TimelineStep['kind'], Tone> = {
  ordered: 'neutral',
  held: 'neutral',
  sent: 'blue',
  answered: 'neutral',
  captured: 'green',
  released: 'red',
  retried: 'blue',
  unknown: 'yellow',
  files: 'neutral',
  'void-requested': 'yellow',
  'void-sent': 'blue',
  'void-answered': 'neutral',
  refunded: 'green',
  replaced: 'neutral',
  tracked: 'blue',
  'by-hand': 'yellow',
}

/** How a step changes the customer's balance. A charge from the hold does not change it. */
const BALANCE_SIGN: Partial<Record<TimelineStep['kind'], -1 | 1>> = {
  held: -1,
  released: 1,
  refunded: 1,
}

const amountText = ({ kind, amount = 0 }: TimelineStep): string => {
  const sign = BALANCE_SIGN[kind]
  return sign ? signedUsd(sign * amount) : usdFromDollars(amount)
}

const detailPrefix = ({ kind }: TimelineStep): string =>
  kind === 'by-hand' ? t.reason : t.carrierSaid

export function Timeline({ steps }: { steps: readonly TimelineStep[] }) {
  return (
    <ol className={styles.steps}>
      {steps.map((step, index) => (
        <li key={index} className={styles.step} data-tone={STEP_TONE[step.kind]}>
          <span className={styles.what}>{step.text}</span>
          {step.amount !== undefined && <span className={styles.sum}>{amountText(step)}</span>}
          <span className={styles.when}>
            <DateTime at={step.at} exact />
            {step.by && ` ${t.by(step.by.name)}`}
          </span>
          {step.detail && (
            <p className={styles.detail}>
              <span className="visually-hidden">{detailPrefix(step)}</span> {step.detail}
            </p>
          )}
        </li>
      ))}
    </ol>
  )
}
