import type { BatchFileKind } from '#contract/downloads.ts'
import { groupTracking } from '#contract/format.ts'
import { cents, usd } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { TimelineStep } from '#contract/orders-admin.ts'
import { ruleText } from '#contract/price-rules.ts'
import { trackingText } from '#contract/tracking.ts'
import type { UserRef } from '#server/accounts/rules.ts'
import type { TrackingEvent } from '#server/carriers/port.ts'
import { holdOfRound } from '#server/orders/details-rules.ts'
import type { LabelTransfer, LaterCharges } from '#server/orders/details-rules.ts'
import type { OrderRecord } from '#server/orders/rules.ts'
import type { PriceVersionRef } from './order-timeline-store.ts'
import { redact } from './redact.ts'

/** A call to the carrier. `outcome`: null while there is no response. */
export type CarrierCallRow = {
  act: 'buy' | 'void'
  round: number
  startedAt: Date
  finishedAt: Date | null
  outcome: string | null
  code: string | null
  message: string | null
}

export type ManualResolutionRow = {
  at: Date
  action: 'label-ended' | 'void-ended'
  outcome: string
  reason: string
  by: UserRef | null
}

/** A correction of the carrier. `amount`: of its charge; `passed`: of it, what the customer pays. */
export type CorrectionRow = { at: Date; amount: Cents; passed: Cents; note: string }

/** A round above the loss ceiling (docs/carriers.md#losses). `cost`: the carrier's. */
export type LossRow = { round: number; price: Cents; cost: Cents }

/** `buyer`: the order's owner; `voidRequest`: the latest. */
export type TimelineSources = {
  order: OrderRecord
  buyer: UserRef
  unknownSince: Date | null
  calls: readonly CarrierCallRow[]
  losses: readonly LossRow[]
  transfers: readonly LabelTransfer[]
  /** None for labels whose tracking ended before events were kept. */
  parcel?: readonly TrackingEvent[]
  files: readonly { kind: BatchFileKind; at: Date }[]
  replacedAt: Date | null
  prices: PriceVersionRef | null
  voidRequest: { at: Date; by: UserRef | null; isAutomatic: boolean } | null
  manualResolutions: readonly ManualResolutionRow[]
  later: LaterCharges
  corrections: readonly CorrectionRow[]
}

/** A step; `amount` in cents. */
export type TimelineEvent = {
  at: Date
  kind: TimelineStep['kind']
  text: string
  amount?: Cents
  by?: UserRef
  detail?: string
}

/** All steps of a label, oldest first; steps of the same moment keep their logical order. Pure. */
export function buildTimeline(sources: TimelineSources): TimelineEvent[] {
  const { order, buyer, prices } = sources
  const where = order.batchId === null ? '' : ` in bulk order ${order.batchId}, row ${order.rowNo}`
  const steps: TimelineEvent[] = [
    {
      at: order.createdAt,
      kind: 'ordered',
      text: `Ordered${where}: ${order.serviceName}`,
      by: buyer,
      ...(prices && { detail: pricesText(prices) }),
    },
    ...holdSteps(sources),
    ...callSteps(sources, 'buy'),
    ...unknownSteps(sources),
    ...settlementSteps(sources),
    ...fileSteps(sources),
    ...voidSteps(sources),
    ...manualResolutionSteps(sources),
    ...laterSteps(sources),
    ...trackingSteps(sources),
  ]
  if (sources.replacedAt && order.replacedBy !== null) {
    steps.push({
      at: sources.replacedAt,
      kind: 'replaced',
      text: `Edited and ordered again in bulk order ${order.replacedBy}`,
    })
  }
  return steps.sort((a, b) => a.at.getTime() - b.at.getTime())
}

/** 'Own prices, version 3: Cost + 20%'. */
function pricesText({ version, isOwn, rule }: PriceVersionRef): string {
  const text = `${isOwn ? 'Own' : 'Default'} prices, version ${version}`
  return rule ? `${text}: ${ruleText(rule)}` : text
}

function holdSteps({ order, transfers }: TimelineSources): TimelineEvent[] {
  const steps: TimelineEvent[] = []
  for (let round = 1; round <= order.round; round++) {
    const held = holdOfRound(order, transfers, round)
    if (!held) continue
    if (round > 1) steps.push({ at: held.at, kind: 'retried', text: `Retried, round ${round}` })
    const text = order.batchId === null ? 'Price held' : 'Price held with the bulk order'
    steps.push({ at: held.at, kind: 'held', text, amount: order.price })
  }
  return steps
}

const CALL_OUTCOME_TEXTS: Record<CarrierCallRow['act'], Record<string, string>> = {
  buy: {
    bought: 'The carrier sold the label',
    permanent: 'The carrier refused the label',
    retryable: 'Temporary carrier error; it will be retried',
    account: 'Carrier account not ready; it will be retried',
    unknown: 'Outcome unknown; the label is looked up at the carrier',
  },
  void: {
    voided: 'The carrier voided the label',
    submitted: 'The carrier accepted the void request and will decide later',
    permanent: 'The carrier refused to void the label',
    retryable: 'Temporary carrier error on the void; it will be retried',
    unknown: 'Outcome of the void unknown; it will be requested again',
  },
}

/** An answer to a purchase above the loss ceiling, as the operator needs it; null for any other. */
function lossText(
  { act, round, outcome }: CarrierCallRow,
  losses: readonly LossRow[],
): string | null {
  const loss = act === 'buy' ? losses.find(one => one.round === round) : undefined
  if (!loss || (outcome !== 'bought' && outcome !== 'permanent')) return null
  const { cost, price } = loss
  const what = outcome === 'bought' ? 'Bought' : 'Not bought'
  return `${what}: the carrier’s price is ${usd(cost)}, ${usd(cents(cost - price))} above the customer’s`
}

function callSteps(
  { order, calls, losses }: TimelineSources,
  act: CarrierCallRow['act'],
): TimelineEvent[] {
  const inProgress = act === 'buy' ? order.state === 'purchasing' : order.state === 'voiding'
  const sent = calls.filter(call => call.act === act)
  return sent.flatMap((call, i) => {
    const unanswered = call.outcome === null && !(inProgress && i === sent.length - 1)
    const text = act === 'buy' ? 'Sent to the carrier' : 'Void sent to the carrier'
    const sentStep: TimelineEvent = {
      at: call.startedAt,
      kind: act === 'buy' ? 'sent' : 'void-sent',
      text: unanswered ? `${text}; no response recorded` : text,
    }
    if (call.finishedAt === null || call.outcome === null) return [sentStep]
    const message = [call.code, call.message].filter(part => part).join(': ')
    const kind =
      act === 'void' ? 'void-answered' : call.outcome === 'unknown' ? 'unknown' : 'answered'
    const outcomeText =
      lossText(call, losses)
      ?? CALL_OUTCOME_TEXTS[act][call.outcome]
      ?? `The carrier answered: ${call.outcome}`
    return [
      sentStep,
      {
        at: call.finishedAt,
        kind,
        text: outcomeText,
        ...(message !== '' && { detail: redactForOrder(message, order) }),
      },
    ]
  })
}

function voidSteps(sources: TimelineSources): TimelineEvent[] {
  const { order, voidRequest, transfers } = sources
  const refunds = transfers.filter(transfer => transfer.kind === 'refund')
  return [
    ...(voidRequest
      ? [
          {
            at: voidRequest.at,
            kind: 'void-requested' as const,
            ...(voidRequest.by && { by: voidRequest.by }),
            text: voidRequest.isAutomatic
              ? 'Void requested automatically: the label was never used'
              : 'Void requested',
          },
        ]
      : []),
    ...callSteps(sources, 'void'),
    ...(order.voidConfirmedAt && order.refundDueAt
      ? [
          {
            at: order.voidConfirmedAt,
            kind: 'void-confirmed' as const,
            text: `Void confirmed: the refund waits until ${order.refundDueAt.toISOString().slice(0, 10)}`,
          },
        ]
      : []),
    ...refunds.map(({ at, cents: amount }) => ({
      at,
      kind: 'refunded' as const,
      text: 'Voided: price refunded',
      amount,
    })),
  ]
}

function laterSteps({ corrections, later }: TimelineSources): TimelineEvent[] {
  return [
    ...corrections.map(({ at, amount, passed, note }): TimelineEvent => ({
      at,
      kind: 'corrected',
      text:
        `The carrier charged ${amount === 0 ? 'nothing' : usd(cents(Math.abs(amount)))} ${amount < 0 ? 'less' : 'more'}; `
        + (passed === 0
          ? 'the customer pays nothing of it'
          : `the customer ${passed > 0 ? 'pays' : 'gets'} ${usd(cents(Math.abs(passed)))}`),
      detail: note,
    })),
    ...later.transfers.map(({ at, kind, cents: amount, reason }): TimelineEvent => {
      const isCharge = kind === 'carrier_charge'
      return {
        at,
        kind: isCharge ? 'charged' : 'credited',
        text: isCharge ? 'Charged to the customer' : 'Credited to the customer',
        amount,
        ...(reason && { detail: reason }),
      }
    }),
    ...later.waiting.map(({ at, cents: amount, reason }): TimelineEvent => ({
      at,
      kind: 'charge-waiting',
      text: `${usd(amount)} of a charge waits for money`,
      detail: reason,
    })),
  ]
}

const MANUAL_RESOLUTION_TEXTS: Record<string, string> = {
  sold: 'Resolved manually: the carrier sold the label',
  'not-sold': 'Resolved manually: the carrier did not sell the label',
  'paid-back': 'Void resolved manually: the carrier refunded the label',
  refused: 'Void resolved manually: the carrier refused it',
}

const manualResolutionSteps = ({ manualResolutions }: TimelineSources): TimelineEvent[] =>
  manualResolutions.map(({ at, outcome, reason, by }) => ({
    at,
    kind: 'by-hand' as const,
    text: MANUAL_RESOLUTION_TEXTS[outcome] ?? 'Resolved manually',
    detail: reason,
    ...(by && { by }),
  }))

/**
 * The step for a label whose process died: its lease expired, and no call recorded the unknown
 * outcome.
 */
function unknownSteps({ order, calls, unknownSince }: TimelineSources): TimelineEvent[] {
  if (
    unknownSince === null
    || calls.some(call => call.outcome === 'unknown' && call.round === order.round)
  )
    return []
  return [{ at: unknownSince, kind: 'unknown', text: CALL_OUTCOME_TEXTS.buy.unknown! }]
}

function settlementSteps({ order, transfers }: TimelineSources): TimelineEvent[] {
  return transfers.flatMap((transfer): TimelineEvent[] => {
    if (transfer.kind === 'capture') {
      const tracking =
        order.trackingNumber === null ? '' : `: ${groupTracking(order.trackingNumber)}`
      return [
        {
          at: transfer.at,
          kind: 'captured',
          text: `Label bought, charged to the hold${tracking}`,
          amount: transfer.cents,
        },
      ]
    }
    if (transfer.kind !== 'release') return []
    const detail =
      transfer.reason === null ? {} : { detail: redactForOrder(transfer.reason, order) }
    return [
      {
        at: transfer.at,
        kind: 'released',
        text: 'Not bought: the hold was released',
        amount: transfer.cents,
        ...detail,
      },
    ]
  })
}

function trackingSteps({ order, parcel = [] }: TimelineSources): TimelineEvent[] {
  const { tracking } = order
  if (parcel.length > 0)
    return parcel.map(({ at, status, text, place }) => {
      const words = [text, place].filter(part => part !== '').join(', ')
      return {
        at,
        kind: 'tracked',
        text: `Parcel: ${trackingText(status)}`,
        ...(words !== '' && { detail: redactForOrder(words, order) }),
      }
    })
  if (!tracking?.at) return []
  const detail = tracking.detail === null ? {} : { detail: redactForOrder(tracking.detail, order) }
  return [
    {
      at: tracking.at,
      kind: 'tracked',
      text: `Parcel: ${trackingText(tracking.status)}`,
      ...detail,
    },
  ]
}

const FILE_KIND_NAMES: Record<BatchFileKind, string> = {
  pdf: 'labels',
  'result-csv': 'results',
  'auto-csv': 'confirmation',
}

/** Files are created together; after a rebuild only the newest time is known. */
function fileSteps({ order, files }: TimelineSources): TimelineEvent[] {
  if (files.length === 0) return []
  const at = new Date(Math.max(...files.map(file => file.at.getTime())))
  const kinds = (Object.keys(FILE_KIND_NAMES) as BatchFileKind[])
    .filter(kind => files.some(file => file.kind === kind))
    .map(kind => FILE_KIND_NAMES[kind])
  return [
    {
      at,
      kind: 'files',
      text: `Files of bulk order ${order.batchId} created: ${kinds.join(', ')}`,
    },
  ]
}

const redactForOrder = (text: string, order: OrderRecord): string =>
  redact(text, [order.sender, order.receiver], order.trackingNumber)
