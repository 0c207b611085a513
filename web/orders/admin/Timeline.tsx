/** The history of a label, oldest first. */
import { usdFromDollars } from '#contract/money.ts'
import type { TimelineStep } from '#contract/orders-admin.ts'
import { StepList } from '#web/orders/details/StepList.tsx'
import { signedMoneyText } from '#web/ui/money-text.ts'
import type { Tone } from '#web/ui/tone.ts'
import { texts } from './texts.ts'

const t = texts.details

/** Green: paid for, refunded or credited. Yellow: open, or decided by hand. Red: not bought. All other steps have no color. */
const STEP_TONE: Record<TimelineStep['kind'], Tone> = {
  ordered: 'neutral',
  held: 'neutral',
  sent: 'neutral',
  answered: 'neutral',
  captured: 'green',
  released: 'red',
  retried: 'neutral',
  unknown: 'yellow',
  files: 'neutral',
  'void-requested': 'yellow',
  'void-confirmed': 'yellow',
  'void-sent': 'neutral',
  'void-answered': 'neutral',
  refunded: 'green',
  corrected: 'neutral',
  charged: 'neutral',
  'charge-waiting': 'yellow',
  credited: 'green',
  replaced: 'neutral',
  tracked: 'neutral',
  'by-hand': 'yellow',
}

/** How a step changes the customer's balance. A charge from the hold does not change it. */
const BALANCE_SIGN: Partial<Record<TimelineStep['kind'], -1 | 1>> = {
  held: -1,
  released: 1,
  refunded: 1,
  charged: -1,
  credited: 1,
}

const amountText = ({ kind, amount = 0 }: TimelineStep): string => {
  const sign = BALANCE_SIGN[kind]
  return sign ? signedMoneyText(sign * amount) : usdFromDollars(amount)
}

/** Steps whose detail is a reason of ours. */
const REASONED: ReadonlySet<TimelineStep['kind']> = new Set([
  'by-hand',
  'charged',
  'charge-waiting',
  'credited',
])

const detailPrefix = ({ kind }: TimelineStep): string => {
  if (kind === 'ordered') return t.pricedBy
  return REASONED.has(kind) ? t.reason : t.carrierSaid
}

const GROUPED_NUMBER = /\d{4}(?: \d{2,4})+/g

/** A tracking number stays on one line. */
const withWholeNumbers = (text: string): string =>
  text.replaceAll(GROUPED_NUMBER, number => number.replaceAll(' ', '\u00a0'))

export function Timeline({ steps }: { steps: readonly TimelineStep[] }) {
  const items = steps.map(step => ({
    at: step.at,
    tone: STEP_TONE[step.kind],
    text: withWholeNumbers(step.text),
    ...(step.amount !== undefined && {
      sum: amountText(step),
      isSumQuiet: BALANCE_SIGN[step.kind] === undefined,
    }),
    ...(step.by && { note: t.by(step.by.name) }),
    ...(step.detail && { detail: { name: detailPrefix(step), text: step.detail } }),
  }))
  return <StepList items={items} />
}
