import type { BatchFileKind } from '#contract/downloads.ts'
import { groupTracking } from '#contract/format.ts'
import type { Cents } from '#contract/money.ts'
/** The life of one label as steps in words, from what the rooms have written down. Pure. */
import type { TimelineStep } from '#contract/orders-admin.ts'
import { trackingText } from '#contract/tracking.ts'
import type { UserRef } from '#server/accounts/audit-list-store.ts'
import type { TransferKind } from '#server/ledger/rules.ts'
import type { OrderRecord } from '#server/orders/rules.ts'
import { redact } from './redact.ts'

/** One time the carrier was asked. `outcome` is null while there is no answer. */
export type CarrierCallRow = {
  act: 'buy' | 'void'
  round: number
  startedAt: Date
  finishedAt: Date | null
  outcome: string | null
  code: string | null
  message: string | null
}

/** A transfer about the label or, for holds of a bulk order, about all its labels. `round`: of the label, or the submission. */
export type LabelTransferRow = {
  id: number
  kind: TransferKind
  cents: Cents
  at: Date
  round: number | null
  reason: string | null
}

/** What the operator has ended by his word. */
export type ManualResolutionRow = {
  at: Date
  action: 'label-ended' | 'void-ended'
  outcome: string
  reason: string
  by: UserRef | null
}

/** All that is known about a label's life. `asked`: the newest wish to void it. */
export type TimelineSources = {
  order: OrderRecord
  buyer: UserRef
  unknownSince: Date | null
  calls: readonly CarrierCallRow[]
  transfers: readonly LabelTransferRow[]
  files: readonly { kind: BatchFileKind; at: Date }[]
  replacedAt: Date | null
  voidRequest: { at: Date; by: UserRef | null; isAutomatic: boolean } | null
  manualResolutions: readonly ManualResolutionRow[]
}

/** A step as the rooms know it: money in cents, `by` with a number. */
export type TimelineEvent = {
  at: Date
  kind: TimelineStep['kind']
  text: string
  amount?: Cents
  by?: UserRef
  detail?: string
}

/** Every step, oldest first; steps of the same moment in the order in which they must have been. */
export function buildTimeline(evidence: TimelineSources): TimelineEvent[] {
  const { order, buyer } = evidence
  const where = order.batchId === null ? '' : ` in bulk order ${order.batchId}, row ${order.rowNo}`
  const steps: TimelineEvent[] = [
    {
      at: order.createdAt,
      kind: 'ordered',
      text: `Ordered${where}: ${order.serviceName}`,
      by: buyer,
    },
    ...holdSteps(evidence),
    ...callSteps(evidence, 'buy'),
    ...unknownSteps(evidence),
    ...settlementSteps(evidence),
    ...fileSteps(evidence),
    ...voidSteps(evidence),
    ...manualResolutionSteps(evidence),
    ...trackingSteps(evidence),
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
function holdSteps({ order, transfers }: TimelineSources): TimelineEvent[] {
  const holds = transfers.filter(move => move.kind === 'hold')
  const steps: TimelineEvent[] = []
  for (let round = 1; round <= order.round; round++) {
    const before = transfers.find(move => move.kind === 'release' && move.round === round - 1)
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

const CALL_OUTCOME_TEXTS: Record<CarrierCallRow['act'], Record<string, string>> = {
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

function callSteps({ order, calls }: TimelineSources, act: CarrierCallRow['act']): TimelineEvent[] {
  const underWay = act === 'buy' ? order.state === 'purchasing' : order.state === 'voiding'
  const asked = calls.filter(call => call.act === act)
  return asked.flatMap((call, i) => {
    const open = call.outcome === null && !(underWay && i === asked.length - 1)
    const what = act === 'buy' ? 'Sent to the carrier' : 'Void sent to the carrier'
    const sent: TimelineEvent = {
      at: call.startedAt,
      kind: act === 'buy' ? 'sent' : 'void-sent',
      text: open ? `${what}; no answer was recorded` : what,
    }
    if (call.finishedAt === null || call.outcome === null) return [sent]
    const said = [call.code, call.message].filter(part => part).join(': ')
    const kind =
      act === 'void' ? 'void-answered' : call.outcome === 'unknown' ? 'unknown' : 'answered'
    const text = CALL_OUTCOME_TEXTS[act][call.outcome] ?? `The carrier answered: ${call.outcome}`
    return [
      sent,
      {
        at: call.finishedAt,
        kind,
        text,
        ...(said !== '' && { detail: redactForOrder(said, order) }),
      },
    ]
  })
}

function voidSteps(evidence: TimelineSources): TimelineEvent[] {
  const { voidRequest, transfers } = evidence
  const refunds = transfers.filter(move => move.kind === 'refund')
  return [
    ...(voidRequest
      ? [
          {
            at: voidRequest.at,
            kind: 'void-requested' as const,
            ...(voidRequest.by && { by: voidRequest.by }),
            text: voidRequest.isAutomatic
              ? 'Void requested by itself: nobody has used the label'
              : 'Void requested',
          },
        ]
      : []),
    ...callSteps(evidence, 'void'),
    ...refunds.map(({ at, cents: amount }) => ({
      at,
      kind: 'refunded' as const,
      text: 'Voided: the price is paid back',
      amount,
    })),
  ]
}

const MANUAL_RESOLUTION_TEXTS: Record<string, string> = {
  sold: 'Ended by hand: the carrier sold the label',
  'not-sold': 'Ended by hand: the carrier did not sell the label',
  'paid-back': 'Void ended by hand: the carrier paid the label back',
  refused: 'Void ended by hand: the carrier refused it',
}

const manualResolutionSteps = ({ manualResolutions }: TimelineSources): TimelineEvent[] =>
  manualResolutions.map(({ at, outcome, reason, by }) => ({
    at,
    kind: 'by-hand' as const,
    text: MANUAL_RESOLUTION_TEXTS[outcome] ?? 'Ended by hand',
    detail: reason,
    ...(by && { by }),
  }))

/** A label whose process died: that its outcome is unknown was found by its lease and not said by a call. */
function unknownSteps({ order, calls, unknownSince }: TimelineSources): TimelineEvent[] {
  if (
    unknownSince === null
    || calls.some(call => call.outcome === 'unknown' && call.round === order.round)
  )
    return []
  return [{ at: unknownSince, kind: 'unknown', text: CALL_OUTCOME_TEXTS.buy.unknown! }]
}

function settlementSteps({ order, transfers }: TimelineSources): TimelineEvent[] {
  return transfers.flatMap((move): TimelineEvent[] => {
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
    const why = move.reason === null ? {} : { detail: redactForOrder(move.reason, order) }
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
function trackingSteps({ order }: TimelineSources): TimelineEvent[] {
  const { tracking } = order
  if (!tracking?.at) return []
  const said = tracking.detail === null ? {} : { detail: redactForOrder(tracking.detail, order) }
  return [
    {
      at: tracking.at,
      kind: 'tracked',
      text: `The parcel: ${trackingText(tracking.status)}`,
      ...said,
    },
  ]
}

const FILE_KIND_NAMES: Record<BatchFileKind, string> = {
  pdf: 'labels',
  'result-csv': 'results',
  'auto-csv': 'confirmation',
}

/** Files are made together; made anew they stand here with the newest time only. */
function fileSteps({ order, files }: TimelineSources): TimelineEvent[] {
  if (files.length === 0) return []
  const at = new Date(Math.max(...files.map(file => file.at.getTime())))
  const kinds = (Object.keys(FILE_KIND_NAMES) as BatchFileKind[])
    .filter(kind => files.some(file => file.kind === kind))
    .map(kind => FILE_KIND_NAMES[kind])
  return [
    { at, kind: 'files', text: `Files of bulk order ${order.batchId} made: ${kinds.join(', ')}` },
  ]
}

const redactForOrder = (said: string, order: OrderRecord): string =>
  redact(said, [order.sender, order.receiver], order.trackingNumber)
