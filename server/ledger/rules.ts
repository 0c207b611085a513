import { cents, usd, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { MovementKind } from '#contract/wallet-movements.ts'

export type AccountKind =
  | 'available'
  | 'held'
  | 'cash'
  | 'revenue'
  | 'refunds'
  | 'adjustments'
  | 'carrier'
  | 'carrier_adjustments'

export type TransferKind =
  | 'deposit'
  | 'hold'
  | 'release'
  | 'capture'
  | 'refund'
  | 'adjust_up'
  | 'adjust_down'
  | 'reversal'
  | 'carrier_charge'
  | 'carrier_credit'
  | 'carrier_cost'
  | 'carrier_cost_back'

export type Wallet = { available: Cents; held: Cents; deposited: Cents; spent: Cents }

export const EMPTY_WALLET: Wallet = { available: ZERO, held: ZERO, deposited: ZERO, spent: ZERO }

export type MonthRange = { from: Date; to: Date }

/** Movements are ordered by id. Where the clock was set back, times differ from that order by up to this. */
export const ORDER_SLACK_MS = 86_400_000

/** Of '2026-11', in UTC, as the dates of exported files. */
export function monthRange(name: string | undefined): MonthRange | null {
  if (name === undefined) return null
  const [year, month] = name.split('-').map(Number)
  return { from: new Date(Date.UTC(year!, month! - 1)), to: new Date(Date.UTC(year!, month!)) }
}

/** A movement signed from the customer's side, with the balance after it. */
export type StatementLine = {
  at: Date
  kind: MovementKind
  amount: Cents
  balance: Cents
  orderId: number | null
  batchId: number | null
  invoiceId: number | null
  round: number | null
  /** Of a bulk order, where it was placed. */
  labels: number | null
  note: string | null
}

const SIGN: Record<MovementKind, 1 | -1> = {
  deposit: 1,
  release: 1,
  refund: 1,
  adjust_up: 1,
  hold: -1,
  adjust_down: -1,
  reversal: -1,
  carrier_charge: -1,
  carrier_credit: 1,
}

const signedAmount = (kind: MovementKind, amount: Cents): Cents => cents(SIGN[kind] * amount)

/** `newerSum`: the signed sum of later movements; `latest`: the balance after all of them. */
export function toStatementLines<
  Row extends Omit<StatementLine, 'amount' | 'balance'> & { cents: Cents; newerSum: Cents },
>(rows: readonly Row[], latest: Cents): StatementLine[] {
  return rows.map(
    ({ at, kind, cents: amount, newerSum, orderId, batchId, invoiceId, round, labels, note }) => ({
      at,
      kind,
      amount: signedAmount(kind, amount),
      balance: cents(latest - newerSum),
      orderId,
      batchId,
      invoiceId,
      round,
      labels,
      note,
    }),
  )
}

/**
 * Shares out balances (cents by owner) to the charges of each owner in the given order, as far as
 * they go.
 */
export function allot<Charge extends { ownerId: number; due: Cents }>(
  charges: readonly Charge[],
  balances: ReadonlyMap<number, Cents>,
): { charge: Charge; cents: Cents }[] {
  const left = new Map(balances)
  return charges.flatMap(charge => {
    const available = left.get(charge.ownerId) ?? ZERO
    const amount = cents(Math.min(available, charge.due))
    if (amount <= 0) return []
    left.set(charge.ownerId, cents(available - amount))
    return [{ charge, cents: amount }]
  })
}

export const insufficientBalanceText = (price: Cents, available: Cents): string =>
  `Insufficient balance: this order costs ${usd(price)}; your balance is ${usd(available)}.`

/** What subjects of owed charges begin with; an id follows. Stored, so they never change. */
export const CHARGE_SUBJECTS = {
  /** A correction of the carrier. */
  adjustment: 'adjustment:',
  /** A label that was used after its void. */
  voidedScan: 'voided-scan:',
  /** Earlier credits of a voided label, which its refund contains. */
  voidCredit: 'void-credit:',
} as const

/** Subject of an owed charge. `id`: of the correction, or of the label. */
export const chargeSubject = (kind: keyof typeof CHARGE_SUBJECTS, id: number): string =>
  CHARGE_SUBJECTS[kind] + id

/** Subject of what is booked for a correction after the void of its label was refused. */
export const refusedVoidSubject = (subject: string): string => `${subject}:void-refused`

/**
 * Idempotency keys of transfers. Each follows from the fact it records, so that a repeat is not
 * posted twice.
 */
export const transferKeys = {
  holdOrder: (orderId: number, round: number) => `hold:order:${orderId}:${round}`,
  /** `submission`: the batch's counter, incremented under its lock. */
  holdBatch: (batchId: number, submission: number) => `hold:batch:${batchId}:${submission}`,
  capture: (orderId: number, round: number) => `capture:order:${orderId}:${round}`,
  release: (orderId: number, round: number) => `release:order:${orderId}:${round}`,
  refund: (orderId: number) => `refund:order:${orderId}`,
  /** `entry`: id of the audit entry. */
  adjustment: (entry: number) => `adjust:audit:${entry}`,
  deposit: (provider: string, invoice: string, n: number) => `deposit:${provider}:${invoice}:${n}`,
  reversal: (provider: string, invoice: string, n: number) =>
    `reversal:${provider}:${invoice}:${n}`,
  /** `n`: the collections of the charge so far. */
  collect: (subject: string, n: number) => `collect:${subject}:${n}`,
  returned: (subject: string) => `return:${subject}`,
  carrierCredit: (subject: string) => `credit:${subject}`,
  carrierCost: (subject: string) => `cost:${subject}`,
}
