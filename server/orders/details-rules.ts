import type { Cents } from '#contract/money.ts'
import type { LabelStepKind } from '#contract/order-details.ts'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { TrackingEvent } from '#server/carriers/port.ts'
import type { TransferKind } from '#server/ledger/rules.ts'
import type { OrderRecord } from './rules.ts'

/**
 * A transfer of the label, or a hold of its whole bulk order. `round`: of the label, or the
 * submission.
 */
export type LabelTransfer = {
  id: number
  kind: TransferKind
  cents: Cents
  at: Date
  round: number | null
  reason: string | null
}

/** `unknownSince`: only while the outcome is unknown. The void is the latest one. */
export type LabelFacts = {
  replacedAt: Date | null
  unknownSince: Date | null
  voidRequestedAt: Date | null
  voidRequestedBy: number | null
  isAutomatic: boolean
  voidRefusedAt: Date | null
  /** Events of the parcel; none for labels whose tracking ended before they were kept. */
  parcel?: readonly TrackingEvent[]
  /** Charges and credits beyond the price, and what of them waits for money. */
  later?: LaterCharges
}

/** Beyond a label's price: of carrier adjustments and of voided labels that were used. `waiting`: what charges lack. */
export type LaterCharges = {
  transfers: readonly LabelTransfer[]
  waiting: readonly { at: Date; cents: Cents; reason: string }[]
}

/** `amount` in cents. `text`, `place`: of a tracked parcel, by the carrier; `text` also why a later charge was made. */
export type LabelEvent = {
  at: Date
  kind: LabelStepKind
  amount?: Cents
  by?: 'owner' | 'support' | 'system'
  tracking?: TrackingStatus
  text?: string
  place?: string
}

/**
 * The hold of a round: of a single label by its round; of a bulk order the first hold after the
 * previous round's release.
 */
export function holdOfRound(
  { batchId }: Pick<OrderRecord, 'batchId'>,
  transfers: readonly LabelTransfer[],
  round: number,
): LabelTransfer | undefined {
  const holds = transfers.filter(({ kind }) => kind === 'hold')
  if (batchId === null || round === 1) return holds.find(hold => hold.round === round)
  const previousRelease = transfers.find(
    transfer => transfer.kind === 'release' && transfer.round === round - 1,
  )
  return holds.find(hold => previousRelease && hold.id > previousRelease.id)
}

/**
 * The steps that a customer sees, oldest first: no carrier calls and no cost. Steps of the same
 * moment keep their logical order.
 */
export function labelEvents(
  order: OrderRecord,
  transfers: readonly LabelTransfer[],
  facts: LabelFacts,
): LabelEvent[] {
  const events: LabelEvent[] = [
    { at: order.createdAt, kind: 'ordered' },
    ...holdEvents(order, transfers),
    ...(facts.unknownSince ? [{ at: facts.unknownSince, kind: 'checking' as const }] : []),
    ...settlementEvents(transfers),
    ...trackingEvents(order, facts.parcel ?? []),
    ...voidEvents(order, transfers, facts),
    ...(facts.later ? laterEvents(facts.later) : []),
    ...(facts.replacedAt && order.replacedBy !== null
      ? [{ at: facts.replacedAt, kind: 'replaced' as const }]
      : []),
  ]
  return events.sort((a, b) => a.at.getTime() - b.at.getTime())
}

function holdEvents(order: OrderRecord, transfers: readonly LabelTransfer[]): LabelEvent[] {
  const events: LabelEvent[] = []
  for (let round = 1; round <= order.round; round++) {
    const hold = holdOfRound(order, transfers, round)
    if (!hold) continue
    if (round > 1) events.push({ at: hold.at, kind: 'retried' })
    events.push({ at: hold.at, kind: 'held', amount: order.price })
  }
  return events
}

const settlementEvents = (transfers: readonly LabelTransfer[]): LabelEvent[] =>
  transfers.flatMap(({ kind, at, cents: amount }): LabelEvent[] => {
    if (kind === 'capture') return [{ at, kind: 'bought', amount }]
    return kind === 'release' ? [{ at, kind: 'released', amount }] : []
  })

const laterEvents = ({ transfers, waiting }: LaterCharges): LabelEvent[] => [
  ...transfers.map(({ kind, at, cents: amount, reason }): LabelEvent => ({
    at,
    kind: kind === 'carrier_charge' ? 'charged' : 'credited',
    amount,
    ...(reason && { text: reason }),
  })),
  ...waiting.map(({ at, cents: amount, reason }): LabelEvent => ({
    at,
    kind: 'charge-waiting',
    amount,
    text: reason,
  })),
]

function trackingEvents({ tracking }: OrderRecord, parcel: readonly TrackingEvent[]): LabelEvent[] {
  if (parcel.length > 0)
    return parcel.map(({ at, status, text, place }) => ({
      at,
      kind: 'tracked',
      tracking: status,
      ...(text !== '' && { text }),
      ...(place !== '' && { place }),
    }))
  return tracking?.at ? [{ at: tracking.at, kind: 'tracked', tracking: tracking.status }] : []
}

function voidEvents(
  order: OrderRecord,
  transfers: readonly LabelTransfer[],
  { voidRequestedAt, voidRequestedBy, isAutomatic, voidRefusedAt }: LabelFacts,
): LabelEvent[] {
  if (!voidRequestedAt) return []
  const by = isAutomatic
    ? 'system'
    : voidRequestedBy === null || voidRequestedBy === order.userId
      ? 'owner'
      : 'support'
  return [
    { at: voidRequestedAt, kind: 'void-requested', by },
    ...(order.voidSubmittedAt
      ? [{ at: order.voidSubmittedAt, kind: 'void-accepted' as const }]
      : []),
    ...(order.voidConfirmedAt
      ? [{ at: order.voidConfirmedAt, kind: 'void-confirmed' as const }]
      : []),
    ...(voidRefusedAt ? [{ at: voidRefusedAt, kind: 'void-refused' as const }] : []),
    ...transfers
      .filter(({ kind }) => kind === 'refund')
      .map(({ at, cents: amount }) => ({ at, kind: 'refunded' as const, amount })),
  ]
}
