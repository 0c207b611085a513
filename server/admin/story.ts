/** The life of one label as steps in words, from what the rooms have written down. Pure. */
import type { Step } from '#contract/admin.ts'
import { groupTracking } from '#contract/format.ts'
import type { Cents } from '#contract/money.ts'
import type { FileKind } from '#contract/orders.ts'
import { trackingText } from '#contract/tracking.ts'
import type { Person } from '#server/accounts/trail-store.ts'
import type { OrderRecord } from '#server/orders/store.ts'
import type { TransferKind } from '#server/platform/tables.ts'
import { redacted } from './redact.ts'

/** One time the carrier was asked. `outcome` is null while there is no answer. */
export type CallRow = {
  act: 'buy' | 'void'
  round: number
  startedAt: Date
  finishedAt: Date | null
  outcome: string | null
  code: string | null
  message: string | null
}

/** A transfer about the label or, for holds of a bulk order, about all its labels. `round`: of the label, or the submission. */
export type MoveRow = {
  id: number
  kind: TransferKind
  cents: Cents
  at: Date
  round: number | null
  reason: string | null
}

/** What the operator has ended by his word. */
export type HandRow = {
  at: Date
  action: 'label-ended' | 'void-ended'
  outcome: string
  reason: string
  by: Person | null
}

/** All that is known about a label's life. `asked`: the newest wish to void it. */
export type Evidence = {
  order: OrderRecord
  buyer: Person
  unknownSince: Date | null
  calls: readonly CallRow[]
  moves: readonly MoveRow[]
  files: readonly { kind: FileKind; at: Date }[]
  replacedAt: Date | null
  asked: { at: Date; by: Person | null; isAutomatic: boolean } | null
  hands: readonly HandRow[]
}

/** A step as the rooms know it: money in cents, `by` with a number. */
export type StoryStep = {
  at: Date
  kind: Step['kind']
  text: string
  amount?: Cents
  by?: Person
  detail?: string
}

/** Every step, oldest first; steps of the same moment in the order in which they must have been. */
export function timelineOf(evidence: Evidence): StoryStep[] {
  const { order, buyer } = evidence
  const where = order.batchId === null ? '' : ` in bulk order ${order.batchId}, row ${order.rowNo}`
  const steps: StoryStep[] = [
    {
      at: order.createdAt,
      kind: 'ordered',
      text: `Ordered${where}: ${order.serviceName}`,
      by: buyer,
    },
    ...holdsOf(evidence),
    ...callsOf(evidence, 'buy'),
    ...doubtOf(evidence),
    ...endsOf(evidence),
    ...filesOf(evidence),
    ...voidOf(evidence),
    ...handsOf(evidence),
    ...parcelOf(evidence),
  ]
  if (evidence.replacedAt && order.replacedBy !== null) {
    steps.push({
      at: evidence.replacedAt,
      kind: 'replaced',
      text: `Edited and ordered anew in bulk order ${order.replacedBy}`,
    })
  }
  return steps.sort((a, b) => a.at.getTime() - b.at.getTime())
}

/** The holds of each round: of a label of its own by its round; of a bulk order the first after the round before was given back. */
function holdsOf({ order, moves }: Evidence): StoryStep[] {
  const holds = moves.filter(move => move.kind === 'hold')
  const steps: StoryStep[] = []
  for (let round = 1; round <= order.round; round++) {
    const before = moves.find(move => move.kind === 'release' && move.round === round - 1)
    const held =
      order.batchId === null
        ? holds.find(move => move.round === round)
        : holds.find(move => (round === 1 ? move.round === 1 : before && move.id > before.id))
    if (!held) continue
    if (round > 1) steps.push({ at: held.at, kind: 'retried', text: `Tried again, round ${round}` })
    const text = order.batchId === null ? 'Price held' : 'Price held as a part of the bulk order'
    steps.push({ at: held.at, kind: 'held', text, amount: order.price })
  }
  return steps
}

const ANSWERS: Record<CallRow['act'], Record<string, string>> = {
  buy: {
    bought: 'The carrier sold the label',
    permanent: 'The carrier refused the label',
    retryable: 'The carrier could not sell it just then; it is tried again',
    account: 'The carrier account was not ready; it is tried again',
    unknown: 'No certain answer; the carrier is asked what became of the label',
  },
  void: {
    voided: 'The carrier voided the label',
    submitted: 'The carrier has taken the void and answers later',
    permanent: 'The carrier refused to void the label',
    retryable: 'The carrier could not void it just then; it is asked again',
    unknown: 'No certain answer to the void; it is asked again',
  },
}

function callsOf({ order, calls }: Evidence, act: CallRow['act']): StoryStep[] {
  const underWay = act === 'buy' ? order.state === 'purchasing' : order.state === 'voiding'
  const asked = calls.filter(call => call.act === act)
  return asked.flatMap((call, i) => {
    const open = call.outcome === null && !(underWay && i === asked.length - 1)
    const what = act === 'buy' ? 'Sent to the carrier' : 'Void sent to the carrier'
    const sent: StoryStep = {
      at: call.startedAt,
      kind: act === 'buy' ? 'sent' : 'void-sent',
      text: open ? `${what}; no answer was recorded` : what,
    }
    if (call.finishedAt === null || call.outcome === null) return [sent]
    const said = [call.code, call.message].filter(part => part).join(': ')
    const kind =
      act === 'void' ? 'void-answered' : call.outcome === 'unknown' ? 'unknown' : 'answered'
    const text = ANSWERS[act][call.outcome] ?? `The carrier answered: ${call.outcome}`
    return [
      sent,
      { at: call.finishedAt, kind, text, ...(said !== '' && { detail: clean(said, order) }) },
    ]
  })
}

function voidOf(evidence: Evidence): StoryStep[] {
  const { asked, moves } = evidence
  const refunds = moves.filter(move => move.kind === 'refund')
  return [
    ...(asked
      ? [
          {
            at: asked.at,
            kind: 'void-requested' as const,
            ...(asked.by && { by: asked.by }),
            text: asked.isAutomatic
              ? 'Void requested by itself: nobody has used the label'
              : 'Void requested',
          },
        ]
      : []),
    ...callsOf(evidence, 'void'),
    ...refunds.map(({ at, cents: amount }) => ({
      at,
      kind: 'refunded' as const,
      text: 'Voided: the price is paid back',
      amount,
    })),
  ]
}

const BY_HAND: Record<string, string> = {
  sold: 'Ended by hand: the carrier sold the label',
  'not-sold': 'Ended by hand: the carrier did not sell the label',
  'paid-back': 'Void ended by hand: the carrier paid the label back',
  refused: 'Void ended by hand: the carrier refused it',
}

const handsOf = ({ hands }: Evidence): StoryStep[] =>
  hands.map(({ at, outcome, reason, by }) => ({
    at,
    kind: 'by-hand' as const,
    text: BY_HAND[outcome] ?? 'Ended by hand',
    detail: reason,
    ...(by && { by }),
  }))

/** A label whose process died: that its outcome is unknown was found by its lease and not said by a call. */
function doubtOf({ order, calls, unknownSince }: Evidence): StoryStep[] {
  if (
    unknownSince === null
    || calls.some(call => call.outcome === 'unknown' && call.round === order.round)
  )
    return []
  return [{ at: unknownSince, kind: 'unknown', text: ANSWERS.buy.unknown! }]
}

function endsOf({ order, moves }: Evidence): StoryStep[] {
  return moves.flatMap((move): StoryStep[] => {
    if (move.kind === 'capture') {
      const tracking =
        order.trackingNumber === null ? '' : `: ${groupTracking(order.trackingNumber)}`
      return [
        {
          at: move.at,
          kind: 'captured',
          text: `Bought and paid from what was held${tracking}`,
          amount: move.cents,
        },
      ]
    }
    if (move.kind !== 'release') return []
    const why = move.reason === null ? {} : { detail: clean(move.reason, order) }
    return [
      {
        at: move.at,
        kind: 'released',
        text: 'Not bought: what was held is given back',
        amount: move.cents,
        ...why,
      },
    ]
  })
}

/** Where the parcel was when its carrier was asked last. */
function parcelOf({ order }: Evidence): StoryStep[] {
  const { tracking } = order
  if (!tracking?.at) return []
  const said = tracking.detail === null ? {} : { detail: clean(tracking.detail, order) }
  return [
    {
      at: tracking.at,
      kind: 'tracked',
      text: `The parcel: ${trackingText(tracking.status)}`,
      ...said,
    },
  ]
}

const FILES: Record<FileKind, string> = {
  pdf: 'labels',
  'result-csv': 'results',
  'auto-csv': 'confirmation',
}

/** Files are made together; made anew they stand here with the newest time only. */
function filesOf({ order, files }: Evidence): StoryStep[] {
  if (files.length === 0) return []
  const at = new Date(Math.max(...files.map(file => file.at.getTime())))
  const kinds = (Object.keys(FILES) as FileKind[])
    .filter(kind => files.some(file => file.kind === kind))
    .map(kind => FILES[kind])
  return [
    { at, kind: 'files', text: `Files of bulk order ${order.batchId} made: ${kinds.join(', ')}` },
  ]
}

const clean = (said: string, order: OrderRecord): string =>
  redacted(said, [order.sender, order.receiver], order.trackingNumber)
