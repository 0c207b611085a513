/**
 * From an invoice's state at the provider to credits, reviews, notes and the next look-up. Pure.
 */
import { cents, usd, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { ProviderInvoice } from './port.ts'

export type ProviderState = Pick<
  ProviderInvoice,
  'status' | 'additionalStatus' | 'paid' | 'confirmed'
>

/** The results of a look-up that decide a review or the next look-up. */
export type LookedUpState = ProviderState & Pick<ProviderInvoice, 'unconfirmedSince' | 'expiresAt'>

/** An invoice in our books. `reviewedAs`: the state that an operator has decided on. */
export type RecordedCredit = { credited: Cents; reversed: Cents; reviewedAs: string | null }

export const netCredited = ({
  credited,
  reversed,
}: Pick<RecordedCredit, 'credited' | 'reversed'>): Cents => cents(credited - reversed)

/**
 * The amount to credit without an operator. Settled: the confirmed amount, even if it differs from
 * the invoice's; marked as paid at the provider: the amount received. Anything else: zero.
 */
export function creditDue(state: ProviderState): Cents {
  if (state.status !== 'Settled') return ZERO
  return state.additionalStatus === 'Marked' ? state.paid : state.confirmed
}

/**
 * The most that may stay credited: what an operator could credit, and zero for an invalid invoice.
 */
function maxCredit(state: ProviderState): Cents {
  switch (state.status) {
    case 'Settled':
      return cents(Math.max(creditDue(state), state.confirmed))
    case 'Expired':
      return state.confirmed
    default:
      return ZERO
  }
}

/**
 * The amount to credit now, the net credit then, and whether the invoice needs review. Reversals
 * are never automatic. Review: a late or partial payment of an expired invoice, a mark without a
 * payment, a credit whose payment was invalidated or reduced, and a further payment that stays
 * unconfirmed. A decision stands until the provider reports another state.
 */
export function decideCredit(
  state: LookedUpState,
  recorded: RecordedCredit,
  now: Date,
): { credit: Cents; net: Cents; review: boolean } {
  const before = netCredited(recorded)
  const credit = cents(Math.max(0, creditDue(state) - before))
  const net = cents(before + credit)
  const isStuck = state.status === 'Settled' && isArriving(state, net) && isOverdue(state, now)
  const isDoubtful = isStuck || isInconsistent(state, net)
  return {
    credit,
    net,
    review: isDoubtful && recorded.reviewedAs !== reviewStateKey(state, net),
  }
}

/** Money that arrived and is neither confirmed nor credited. */
const isArriving = ({ paid, confirmed }: ProviderState, net: Cents): boolean =>
  paid > Math.max(confirmed, net)

function isInconsistent(state: ProviderState, net: Cents): boolean {
  switch (state.status) {
    case 'Expired':
      return state.paid !== net || net > state.confirmed
    case 'Invalid':
      return state.confirmed > 0 || net > 0
    case 'Settled':
      return (state.additionalStatus === 'Marked' && state.paid === 0) || net > maxCredit(state)
    default:
      return net > 0
  }
}

/** The state that an operator decides on, as a key; another key needs another decision. */
export const reviewStateKey = (
  { status, additionalStatus, paid, confirmed }: ProviderState,
  net: Cents,
): string => `${status} ${additionalStatus} ${paid} ${confirmed} ${net}`

/** Confirmed but not credited; zero while something is reversible. */
export const creditableAmount = (state: ProviderState, net: Cents): Cents =>
  reversibleAmount(state, net) > 0
    ? ZERO
    : cents(Math.max(0, Math.max(state.confirmed, creditDue(state)) - net))

export const reversibleAmount = (state: ProviderState, net: Cents): Cents =>
  cents(Math.max(0, net - maxCredit(state)))

/** What the status alone does not tell the customer; null when there is nothing to add. */
export function depositNote(
  state: ProviderState
    & RecordedCredit & {
      needsReview: boolean
      lostAt: Date | null
      requested?: Cents | null
      isUserDeleted?: boolean
    },
): string | null {
  const { status, additionalStatus, paid, needsReview: review } = state
  const net = netCredited(state)
  if (state.lostAt !== null && mayLackMoney(state, net))
    return `Lost by the payment service${review ? ': in review' : ''}`
  switch (status) {
    case 'New':
      if (review) return reversalNote(state)
      return paid === 0 ? null : `${usd(paid)} received: too little to be counted`
    case 'Processing':
      if (review) return reversalNote(state)
      return paid === 0
        ? 'The payment was withdrawn before it was confirmed'
        : 'Payment received: waiting for confirmation'
    case 'Invalid':
      if (net > 0 || state.reversed > 0) return reversalNote(state)
      return review
        ? 'Confirmed, then declared invalid: in review'
        : 'The payment was never confirmed'
    case 'Expired': {
      const isReversed = state.reversed > 0 && state.confirmed === 0 && !review
      if (net > maxCredit(state) || isReversed) return reversalNote(state)
      if (paid === 0) return null
      const outcome = review
        ? 'in review'
        : net > 0
          ? 'credited after review'
          : 'not credited after review'
      return `${additionalStatus === 'PaidPartial' ? 'Partly paid before expiry' : 'Paid after expiry'}: ${outcome}`
    }
    case 'Settled':
      if (net > maxCredit(state)) return reversalNote(state)
      if (additionalStatus === 'Marked' && paid === 0) {
        return review
          ? 'Marked as paid without a payment: in review'
          : 'Marked as paid without a payment: nothing was credited'
      }
      if (paid > net && !(review && state.isUserDeleted)) return furtherPaymentNote(state, review)
      if (review) return 'Paid by a deleted user: in review'
      if (additionalStatus === 'PaidOver') return 'Overpaid: the full amount was credited'
      return state.requested && net < state.requested
        ? `${usd(net)} of ${usd(state.requested)} arrived and was credited`
        : null
  }
}

/** Of a lost invoice. One that expired unpaid, and was looked up after that, lacks none. */
const mayLackMoney = (
  state: ProviderState & RecordedCredit & { needsReview: boolean },
  net: Cents,
): boolean =>
  state.status === 'Settled'
    ? isArriving(state, net)
    : state.needsReview || state.reviewedAs !== null || state.paid > 0

function furtherPaymentNote(state: ProviderState & RecordedCredit, review: boolean): string {
  const net = netCredited(state)
  const further = `A further payment of ${usd(cents(state.paid - net))}`
  if (review) return `${further} is still not confirmed: in review`
  return state.reviewedAs === reviewStateKey(state, net)
    ? `${further} was not confirmed`
    : `${further} is waiting for confirmation`
}

function reversalNote(state: ProviderState & RecordedCredit & { needsReview: boolean }): string {
  const owed = reversibleAmount(state, netCredited(state))
  const begin = 'Payment invalidated'
  if (owed === 0) return `${begin}: credit reversed`
  if (!state.needsReview) return `${begin}: credit kept after review`
  return state.reversed > 0
    ? `${begin}: ${usd(owed)} of the credit still owed`
    : `${begin}: in review`
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * How long the provider watches an invoice after its expiry, in minutes; sent when an invoice is
 * created.
 */
export const MONITORING_MINUTES = DAY / MINUTE

/**
 * After this time Bitcoin nodes forget a payment that is in no block (`mempoolexpiry`), so it
 * is unlikely to confirm.
 */
const FORGOTTEN_AFTER_MS = 14 * DAY

const isOverdue = ({ unconfirmedSince, expiresAt }: LookedUpState, now: Date): boolean =>
  now.getTime() >= (unconfirmedSince ?? expiresAt).getTime() + FORGOTTEN_AFTER_MS

type TimedState = LookedUpState & { settledAt: Date | null }

/**
 * When to look up an invoice again; `net`: what is credited of it. While it has unconfirmed money, at
 * least every hour, and once a day after nodes have forgotten that money: it may confirm at any time,
 * and a webhook may be lost.
 */
export function nextLookup(state: TimedState, net: Cents, now: Date): Date {
  const usual = usualLookup(state, now)
  if (!isArriving(state, net)) return usual
  const next = now.getTime() + (isOverdue(state, now) ? DAY : HOUR)
  return new Date(Math.min(next, usual.getTime()))
}

/**
 * Open: every minute, and right after expiry. Expired or invalid: every ten minutes while payments
 * may arrive (a day of monitoring and a day of margin), unpaid an hour after its expiry every hour. Settled: a day
 * after. Then each time when twice as much time has passed: its address can be paid at any time.
 */
function usualLookup(state: TimedState, now: Date): Date {
  const at = (ms: number) => new Date(ms)
  const twiceAsLate = (since: Date) => 2 * now.getTime() - since.getTime()
  switch (state.status) {
    case 'New':
    case 'Processing': {
      const soon = now.getTime() + MINUTE
      const afterExpiry = state.expiresAt.getTime() + 1000
      return at(afterExpiry > now.getTime() ? Math.min(soon, afterExpiry) : soon)
    }
    case 'Expired':
    case 'Invalid': {
      const end = state.expiresAt.getTime() + MONITORING_MINUTES * MINUTE + DAY
      const isRare =
        state.status === 'Expired'
        && state.paid === 0
        && now.getTime() >= state.expiresAt.getTime() + HOUR
      const next = now.getTime() + (isRare ? HOUR : 10 * MINUTE)
      return at(now.getTime() < end ? Math.min(next, end) : twiceAsLate(state.expiresAt))
    }
    case 'Settled': {
      const settledAt = state.settledAt ?? now
      const again = settledAt.getTime() + DAY
      return at(now.getTime() < again ? again : twiceAsLate(settledAt))
    }
  }
}
