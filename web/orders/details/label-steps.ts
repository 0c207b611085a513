/** The timeline of a label in the customer's words, and its money. Pure. */
import { numberText } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import type { LabelDetails, LabelStep, LabelStepKind } from '#contract/order-details.ts'
import { trackingText } from '#contract/tracking.ts'
import { trackingTone } from '#web/orders/order-status.ts'
import type { Tone } from '#web/ui/tone.ts'
import { texts } from './texts.ts'

/** `at`: null for a step that is still to come. */
type ShownStep = { at: string | null; tone: Tone; text: string; note?: string }

/** The hold is part of the order; the card of the money tells it. */
type ToldKind = Exclude<LabelStepKind, 'held'>
type ToldStep = LabelStep & { kind: ToldKind }

const STEP_TONE: Record<ToldKind, Tone> = {
  ordered: 'neutral',
  retried: 'blue',
  checking: 'yellow',
  bought: 'green',
  released: 'red',
  tracked: 'blue',
  'void-requested': 'yellow',
  'void-accepted': 'yellow',
  'void-confirmed': 'yellow',
  'void-refused': 'red',
  refunded: 'green',
  charged: 'blue',
  'charge-waiting': 'yellow',
  credited: 'green',
  replaced: 'neutral',
}

/** What happened, oldest first, and what is expected next. */
export function shownSteps(details: LabelDetails): ShownStep[] {
  const told = details.timeline.filter((step): step is ToldStep => step.kind !== 'held')
  const past = told.map(step => ({
    at: step.at,
    tone: step.tracking ? trackingTone(step.tracking) : STEP_TONE[step.kind],
    text: stepText(step, details),
    ...(step.place && { note: `· ${step.place}` }),
  }))
  const next = nextText(details).map(text => ({ at: null, tone: 'neutral' as const, text }))
  return [...past, ...next]
}

function stepText(step: ToldStep, { order, replacedBy }: LabelDetails): string {
  const { steps } = texts
  const amount = usdFromDollars(step.amount ?? order.price)
  switch (step.kind) {
    case 'ordered':
      return order.batch_id === null
        ? steps.ordered
        : steps.orderedInBatch(order.batch_id, numberText(order.row ?? 0))
    case 'released':
    case 'refunded':
      return steps[step.kind](amount)
    case 'charged':
    case 'charge-waiting':
    case 'credited':
      return steps[step.kind](amount, step.text ?? '')
    case 'tracked':
      return step.text || trackingText(step.tracking ?? 'unknown')
    case 'void-requested':
      return steps['void-requested'][step.by ?? 'owner']
    case 'replaced':
      return steps.replaced(replacedBy ?? '')
    default:
      return steps[step.kind]
  }
}

/** The usual way of a label that is not at its end. */
function nextText({ order }: LabelDetails): string[] {
  const { next } = texts
  if (order.void === 'requested') return [next.voided(usdFromDollars(order.price))]
  if (order.status === 'pending') return [next.bought]
  if (order.status === 'cancelled') return []
  const status = order.tracking?.status
  if (status === 'delivered' || status === 'return_to_sender' || status === 'cancelled') return []
  const isScanned = status !== undefined && status !== 'unknown' && status !== 'pre_transit'
  return isScanned ? [next.delivered] : [next.scan, next.delivered]
}

type MoneyLine = {
  at: string
  kind: 'held' | 'released' | 'refunded' | 'charged' | 'credited'
  dollars: number
}

/**
 * Movements of the wallet in dollars, signed. `sum`: what the label has taken from the balance;
 * `isSpent`: charged, not only on hold.
 */
export function labelMoney(timeline: readonly LabelStep[]): {
  lines: MoneyLine[]
  sum: number
  isSpent: boolean
} {
  const lines = timeline.flatMap(({ at, kind, amount = 0 }): MoneyLine[] => {
    if (kind === 'held' || kind === 'charged') return [{ at, kind, dollars: -amount }]
    return kind === 'released' || kind === 'refunded' || kind === 'credited'
      ? [{ at, kind, dollars: amount }]
      : []
  })
  const cents = lines.reduce((all, { dollars }) => all - Math.round(dollars * 100), 0)
  const bought = timeline.findLastIndex(({ kind }) => kind === 'bought')
  const held = timeline.findLastIndex(({ kind }) => kind === 'held')
  return { lines, sum: cents / 100, isSpent: bought > held || cents === 0 }
}
