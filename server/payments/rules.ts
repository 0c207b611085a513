/** What an invoice's state at the payment service means for the customer's balance. Pure. */
import { cents, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { ProviderInvoice } from './port.ts'

export type Seen = Pick<ProviderInvoice, 'status' | 'additionalStatus' | 'paid' | 'confirmed'>

/**
 * How much of an invoice belongs in the balance without anybody's word. Settled: what is confirmed, be it less or more than was
 * asked; marked by the operator at the payment service: what has arrived, never the amount on the invoice. Everything else:
 * nothing, and an expired invoice never.
 */
export function dueToBalance(seen: Seen): Cents {
  if (seen.status !== 'Settled') return ZERO
  return seen.additionalStatus === 'Marked' ? seen.paid : seen.confirmed
}

/** What to credit now, and whether an operator has to look at the invoice. Nothing is ever taken back by itself. */
export function judge(seen: Seen, credited: Cents): { credit: Cents, review: boolean } {
  const credit = cents(Math.max(0, dueToBalance(seen) - credited))
  return { credit, review: needsReview(seen, cents(credited + credit)) }
}

/** Late or partial money of an expired invoice, a mark without money, and a credit whose payment was taken back. */
export function needsReview(seen: Seen, credited: Cents): boolean {
  switch (seen.status) {
    case 'Expired': return seen.paid !== credited
    case 'Invalid': return seen.confirmed !== credited
    case 'Settled': return seen.additionalStatus === 'Marked' && seen.paid === 0
    default: return credited > 0
  }
}

/** What an operator may add with one click: confirmed money that was not credited. */
export const creditable = (seen: Seen, credited: Cents): Cents =>
  cents(Math.max(0, Math.max(seen.confirmed, dueToBalance(seen)) - credited))

/** The sentence beside a deposit's status; null where the status says it all. */
export function noteOf(seen: Seen, credited: Cents, review: boolean): string | null {
  const outcome = review ? 'waiting for review' : 'credited after review'
  switch (seen.status) {
    case 'New': return null
    case 'Processing': return 'Payment seen: waiting for confirmation'
    case 'Invalid':
      return credited > 0 && review ? 'Taken back by the payment service: waiting for review' : 'The payment was never confirmed'
    case 'Expired':
      if (seen.paid === 0) return null
      return `${seen.additionalStatus === 'PaidPartial' ? 'Paid in part before it expired' : 'Paid after expiry'}: ${outcome}`
    case 'Settled':
      if (review) return 'Marked as paid without a payment: waiting for review'
      if (seen.additionalStatus === 'PaidOver') return 'Paid more than was asked: all of it is credited'
      return seen.paid > credited ? 'A further payment is waiting for confirmation' : null
  }
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/**
 * When to look at an invoice again. Open ones each minute and once more right after they expire; expired and invalid ones as
 * long as money may still arrive (a day of watching, and one to be sure); settled ones once after a day for a further payment.
 */
export function nextLook(seen: Seen & { createdAt: Date, expiresAt: Date }, now: Date): Date | null {
  const at = (ms: number) => new Date(ms)
  switch (seen.status) {
    case 'New':
    case 'Processing': {
      const soon = now.getTime() + MINUTE
      const afterExpiry = seen.expiresAt.getTime() + 1000
      return at(afterExpiry > now.getTime() ? Math.min(soon, afterExpiry) : soon)
    }
    case 'Expired':
    case 'Invalid': return now.getTime() < seen.expiresAt.getTime() + 2 * DAY ? at(now.getTime() + 10 * MINUTE) : null
    case 'Settled': return now.getTime() < seen.createdAt.getTime() + DAY ? at(seen.createdAt.getTime() + DAY) : null
  }
}
