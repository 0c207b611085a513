import { cents, usd, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { TransferKind } from '#server/platform/tables.ts'

/** What a user's wallet holds and has moved, in cents. */
export type Wallet = { available: Cents, held: Cents, deposited: Cents, spent: Cents }

export const EMPTY_WALLET: Wallet = { available: ZERO, held: ZERO, deposited: ZERO, spent: ZERO }

/** One movement as a statement shows it: signed from the customer's side, with the balance after it. */
export type Entry = {
  at: Date, kind: TransferKind, amount: Cents, balance: Cents, orderId: number | null, batchId: number | null, invoiceId: number | null,
  note: string | null
}

const SIGN: Record<Exclude<TransferKind, 'capture'>, 1 | -1> = {
  deposit: 1, release: 1, refund: 1, adjust_up: 1, hold: -1, adjust_down: -1,
}

/** A capture moves what was held already: on the customer's statement it is no movement (architecture, 10). */
export const signed = (kind: TransferKind, amount: Cents): Cents => kind === 'capture' ? ZERO : cents(SIGN[kind] * amount)

/** Gives each of `rows` (newest first) the balance that stood after it, from the balance after the newest one. */
export function withRunningBalance<R extends { kind: TransferKind, cents: Cents }>(
  rows: R[], newest: Cents,
): (R & { amount: Cents, balance: Cents })[] {
  let balance = newest
  return rows.map(row => {
    const amount = signed(row.kind, row.cents)
    const entry = { ...row, amount, balance }
    balance = cents(balance - amount)
    return entry
  })
}

/** The sentence for an order that costs more than there is. */
export const tooLittle = (price: Cents, available: Cents): string =>
  `Insufficient balance: this order costs ${usd(price)}; your balance is ${usd(available)}.`

/** Keys of transfers: each follows from the fact it records, so that a repeat is found and not posted twice. */
export const keys = {
  holdOrder: (orderId: number, round: number) => `hold:order:${orderId}:${round}`,
  /** `submission` is the batch's counter, raised under its lock. */
  holdBatch: (batchId: number, submission: number) => `hold:batch:${batchId}:${submission}`,
  capture: (orderId: number, round: number) => `capture:order:${orderId}:${round}`,
  release: (orderId: number, round: number) => `release:order:${orderId}:${round}`,
  refund: (orderId: number) => `refund:order:${orderId}`,
  deposit: (provider: string, invoice: string, n: number) => `deposit:${provider}:${invoice}:${n}`,
}
