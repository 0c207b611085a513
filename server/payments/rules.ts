/** What an invoice's state at the payment service means for the customer's balance. Pure. */
import { cents, usd, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { ProviderInvoice } from './port.ts'

export type ProviderState = Pick<
  ProviderInvoice,
  'status' | 'additionalStatus' | 'paid' | 'confirmed'
>

/** What our own books say of an invoice; `reviewedAs`: the state about which an operator has said his last word. */
export type RecordedCredit = { credited: Cents; reversed: Cents; reviewedAs: string | null }

/** What of an invoice is in the balance: credited and not taken back. */
export const netCredited = ({
  credited,
  reversed,
}: Pick<RecordedCredit, 'credited' | 'reversed'>): Cents => cents(credited - reversed)

/**
 * How much of an invoice belongs in the balance without anybody's word. Settled: what is confirmed, be it less or more than was
 * asked; marked by the operator at the payment service: what has arrived, never the amount on the invoice. Everything else:
 * nothing, and an expired invoice never.
 */
export function creditDue(seen: ProviderState): Cents {
  if (seen.status !== 'Settled') return ZERO
  return seen.additionalStatus === 'Marked' ? seen.paid : seen.confirmed
}

/** How much of it may stay in the balance once it is there: what an operator could credit, and of an invoice gone bad nothing. */
function maxCredit(seen: ProviderState): Cents {
  switch (seen.status) {
    case 'Settled':
      return cents(Math.max(creditDue(seen), seen.confirmed))
    case 'Expired':
      return seen.confirmed
    default:
      return ZERO
  }
}

/** What to credit now, and whether an operator has to look at the invoice. Nothing is ever taken back by itself. */
export function decideCredit(
  seen: ProviderState,
  kept: RecordedCredit,
): { credit: Cents; review: boolean } {
  const net = netCredited(kept)
  const credit = cents(Math.max(0, creditDue(seen) - net))
  return { credit, review: needsReview(seen, cents(net + credit), kept.reviewedAs) }
}

/**
 * Late or partial money of an expired invoice, a mark without money, and a credit whose payment was taken back or became less. What an
 * operator has decided stays decided until the payment service says something else.
 */
export function needsReview(seen: ProviderState, net: Cents, reviewedAs: string | null): boolean {
  return isInconsistent(seen, net) && reviewedAs !== reviewStateKey(seen, net)
}

function isInconsistent(seen: ProviderState, net: Cents): boolean {
  switch (seen.status) {
    case 'Expired':
      return seen.paid !== net || net > seen.confirmed
    case 'Invalid':
      return seen.confirmed > 0 || net > 0
    case 'Settled':
      return (seen.additionalStatus === 'Marked' && seen.paid === 0) || net > maxCredit(seen)
    default:
      return net > 0
  }
}

/** All that an operator's decision is about, as one text: another text asks for another decision. */
export const reviewStateKey = (
  { status, additionalStatus, paid, confirmed }: ProviderState,
  net: Cents,
): string => `${status} ${additionalStatus} ${paid} ${confirmed} ${net}`

/** What an operator may add with one click: confirmed money that was not credited, unless there is something to take back. */
export const creditableAmount = (seen: ProviderState, net: Cents): Cents =>
  reversibleAmount(seen, net) > 0
    ? ZERO
    : cents(Math.max(0, Math.max(seen.confirmed, creditDue(seen)) - net))

/** What an operator may take back with one click: a credit behind which there is no money any more. */
export const reversibleAmount = (seen: ProviderState, net: Cents): Cents =>
  cents(Math.max(0, net - maxCredit(seen)))

/** The sentence beside a deposit's status; null where the status says it all. */
export function depositNote(
  seen: ProviderState & RecordedCredit & { needsReview: boolean; lostAt: Date | null },
): string | null {
  const { status, additionalStatus, paid, needsReview: review } = seen
  const net = netCredited(seen)
  if (seen.lostAt !== null && status !== 'Settled')
    return `Lost by the payment service${review ? ': waiting for review' : ''}`
  switch (status) {
    case 'New':
      return null
    case 'Processing':
      if (review) return reversalNote(seen)
      return paid === 0
        ? 'The payment was taken back before it was confirmed'
        : 'Payment seen: waiting for confirmation'
    case 'Invalid':
      if (net > 0 || seen.reversed > 0) return reversalNote(seen)
      return review
        ? 'Confirmed, yet declared invalid: waiting for review'
        : 'The payment was never confirmed'
    case 'Expired': {
      if (paid === 0) return null
      const outcome = review
        ? 'waiting for review'
        : net > 0
          ? 'credited after review'
          : 'not credited after review'
      return `${additionalStatus === 'PaidPartial' ? 'Paid in part before it expired' : 'Paid after expiry'}: ${outcome}`
    }
    case 'Settled':
      if (net > maxCredit(seen)) return reversalNote(seen)
      if (additionalStatus === 'Marked' && paid === 0) {
        return review
          ? 'Marked as paid without a payment: waiting for review'
          : 'Marked as paid without a payment: nothing was credited'
      }
      if (review) return 'Paid by a user who is deleted: waiting for review'
      if (additionalStatus === 'PaidOver') return 'Paid more than was asked: all of it is credited'
      return paid > net ? 'A further payment is waiting for confirmation' : null
  }
}

/** Of a payment that did not stay, what became of its credit. */
function reversalNote(seen: ProviderState & RecordedCredit & { needsReview: boolean }): string {
  const owed = reversibleAmount(seen, netCredited(seen))
  const begin = 'Taken back by the payment service'
  if (owed === 0) return `${begin} and from the balance`
  if (!seen.needsReview) return `${begin}: the credit stays after review`
  return seen.reversed > 0
    ? `${begin}: ${usd(owed)} of the credit is still owed`
    : `${begin}: waiting for review`
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** How long after its expiry an invoice is watched by the payment service, in minutes; we ask for it when an invoice is made. */
export const MONITORING_MINUTES = DAY / MINUTE

/**
 * When to look at an invoice again. Open ones each minute and once more right after they expire; expired and invalid ones as
 * long as money may still arrive (a day of watching, and one to be sure); settled ones once, a day after they were first seen so, for a
 * further payment.
 */
export function nextLookup(
  seen: ProviderState & { expiresAt: Date; settledAt: Date | null },
  now: Date,
): Date | null {
  const at = (ms: number) => new Date(ms)
  switch (seen.status) {
    case 'New':
    case 'Processing': {
      const soon = now.getTime() + MINUTE
      const afterExpiry = seen.expiresAt.getTime() + 1000
      return at(afterExpiry > now.getTime() ? Math.min(soon, afterExpiry) : soon)
    }
    case 'Expired':
    case 'Invalid':
      return now.getTime() < seen.expiresAt.getTime() + MONITORING_MINUTES * MINUTE + DAY
        ? at(now.getTime() + 10 * MINUTE)
        : null
    case 'Settled': {
      const again = (seen.settledAt ?? now).getTime() + DAY
      return now.getTime() < again ? at(again) : null
    }
  }
}
