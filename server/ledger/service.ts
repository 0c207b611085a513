/**
 * The wallet of every user. Money moves by two-phase transfers: a hold when an order is accepted, then a capture when its label
 * is bought or a release when it is not. All functions that write run inside the caller's transaction: the order's state and
 * its money change together or not at all.
 */
import { cents, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { TREND_DAYS } from '#contract/trend.ts'
import { movementKindsFor } from '#contract/wallet-movements.ts'
import type { StatementFilter } from '#contract/wallet-movements.ts'
import type { Database, Db, Tx } from '#server/platform/database/database.ts'
import { databaseCode } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { EMPTY_WALLET, toStatementLines, transferKeys, insufficientBalanceText } from './rules.ts'
import type { StatementLine, Wallet } from './rules.ts'
import { statementHead, statementLines } from './statement-csv.ts'
import {
  countMovements,
  findTransfer,
  insertTransfers,
  insertWallet,
  lockAvailable,
  lockBalances,
  selectMovements,
  selectMovementsBefore,
  selectAllViolations,
  selectTrend,
  selectViolations,
  selectWallets,
} from './store.ts'
import type { MovementRow, Posting, TrendRow, Violation } from './store.ts'

/** Opens an empty wallet; once for each user, in the transaction that makes him. */
export const openWallet = (tx: Tx, ownerId: number): Promise<void> => insertWallet(tx, ownerId)

/**
 * Writes transfers. One whose key is there already with the same kind and amount was posted before and is left alone; with
 * another amount, also in the same step, it is a fault of ours and nothing is written. Returns the keys that were new.
 */
export async function postTransfers(tx: Tx, postings: Posting[]): Promise<Set<string>> {
  if (postings.length === 0) return new Set()
  const step = new Map<string, Posting>()
  for (const posting of postings) {
    const id = `${posting.ownerId} ${posting.key}`
    assertSameTransfer(posting, step.get(id) ?? posting)
    step.set(id, posting)
  }
  const written = await refuseIfInsufficient(insertTransfers(tx, postings))
  for (const { ownerId, key } of written) step.delete(`${ownerId} ${key}`)
  for (const posting of step.values())
    assertSameTransfer(posting, await findTransfer(tx, posting.ownerId, posting.key))
  return new Set(written.map(({ key }) => key))
}

/** A key stands for one fact: whoever tells it with another kind or amount has made a mistake. */
function assertSameTransfer(
  wanted: Posting,
  there: Pick<Posting, 'kind' | 'cents'> | undefined,
): void {
  if (there?.kind === wanted.kind && there.cents === wanted.cents) return
  throw new Error(
    `transfer ${wanted.key} is there with other content: ${there?.kind} ${there?.cents}, `
      + `wanted ${wanted.kind} ${wanted.cents}`,
  )
}

/** The CHECK on the balance is the last word where two orders spend the same money at the same time. */
async function refuseIfInsufficient<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (
      databaseCode(error) === '23514'
      && (error as { constraint?: string }).constraint === 'balance_covers_debits'
    ) {
      throw new Refusal('insufficient_balance', 'Insufficient balance')
    }
    throw error
  }
}

export type HoldSubject =
  | { orderId: number; round: number }
  | { batchId: number; submission: number }

/**
 * Puts money aside for labels to be bought. Throws Refusal 'insufficient_balance' naming price and balance; the user's balance
 * stays locked until the transaction ends, so the comparison holds.
 */
export async function hold(
  tx: Tx,
  ownerId: number,
  amount: Cents,
  what: HoldSubject,
): Promise<void> {
  const available = await lockAvailable(tx, ownerId)
  const key =
    'orderId' in what
      ? transferKeys.holdOrder(what.orderId, what.round)
      : transferKeys.holdBatch(what.batchId, what.submission)
  if (available < amount && !(await findTransfer(tx, ownerId, key)))
    throw new Refusal('insufficient_balance', insufficientBalanceText(amount, available))
  const about =
    'orderId' in what
      ? { orderId: what.orderId, round: what.round }
      : { batchId: what.batchId, round: what.submission }
  await postTransfers(tx, [{ ownerId, kind: 'hold', cents: amount, key, ...about }])
}

/** A label whose outcome is known: bought (the hold is captured) or not (the hold is given back). */
export type Settlement = {
  ownerId: number
  orderId: number
  batchId: number | null
  round: number
  price: Cents
  bought: boolean
  reason?: string
}

/** Captures and releases for many labels at once, in one statement. */
export async function settle(tx: Tx, settlements: Settlement[]): Promise<void> {
  await postTransfers(
    tx,
    settlements.map(s => ({
      ownerId: s.ownerId,
      kind: s.bought ? ('capture' as const) : ('release' as const),
      cents: s.price,
      key: s.bought
        ? transferKeys.capture(s.orderId, s.round)
        : transferKeys.release(s.orderId, s.round),
      orderId: s.orderId,
      batchId: s.batchId ?? undefined,
      round: s.round,
      reason: s.bought ? undefined : s.reason,
    })),
  )
}

/** A label that the carrier has confirmed as voided: what it cost goes back to its owner. `note`: what the statement says beside it. */
export type Refund = {
  ownerId: number
  orderId: number
  batchId: number | null
  round: number
  price: Cents
  note?: string | undefined
}

/** Refunds for many labels at once, in one statement; a label is refunded once, however often it is asked for. */
export async function refund(tx: Tx, refunds: Refund[]): Promise<void> {
  await postTransfers(
    tx,
    refunds.map(r => ({
      ownerId: r.ownerId,
      kind: 'refund' as const,
      cents: r.price,
      key: transferKeys.refund(r.orderId),
      orderId: r.orderId,
      batchId: r.batchId ?? undefined,
      round: r.round,
      reason: r.note,
    })),
  )
}

/** Locks wallets in the house's order before a step that settles for several users. */
export const lockWallets = (tx: Tx, ownerIds: Iterable<number>): Promise<void> =>
  lockBalances(tx, [...new Set(ownerIds)])

/** Credits confirmed money of an invoice; `n` counts the credits of that invoice from 1. False when it was credited before. */
export async function credit(
  tx: Tx,
  ownerId: number,
  amount: Cents,
  invoice: { id: number; provider: string; externalId: string; n: number },
): Promise<boolean> {
  const key = transferKeys.deposit(invoice.provider, invoice.externalId, invoice.n)
  return (
    await postTransfers(tx, [
      { ownerId, kind: 'deposit', cents: amount, key, invoiceId: invoice.id },
    ])
  ).has(key)
}

/**
 * Takes back up to `most` of what was credited for an invoice: what is held for labels stays, and the balance does not fall below zero.
 * `n` counts what was taken back of that invoice from 1. Returns how much it was, which may be nothing.
 */
export async function reverseCredit(
  tx: Tx,
  ownerId: number,
  most: Cents,
  actorId: number,
  invoice: { id: number; provider: string; externalId: string; n: number },
): Promise<Cents> {
  const amount = cents(Math.min(most, await lockAvailable(tx, ownerId)))
  if (amount <= 0) return ZERO
  const key = transferKeys.reversal(invoice.provider, invoice.externalId, invoice.n)
  await postTransfers(tx, [
    { ownerId, kind: 'reversal', cents: amount, key, invoiceId: invoice.id, actorId },
  ])
  return amount
}

export async function walletOf(db: Db, ownerId: number): Promise<Wallet> {
  return (await selectWallets(db, [ownerId]))[0] ?? EMPTY_WALLET
}

/** Wallets of many users at once, by user id. */
export async function walletsOf(db: Db, ownerIds: number[]): Promise<Map<number, Wallet>> {
  const rows = await selectWallets(db, ownerIds)
  return new Map(rows.map(row => [row.ownerId, row]))
}

/** One view of the books for all that is read in it: money that moves meanwhile must not tear entries and balance apart. */
export const inSnapshot = <T>(db: Db, read: (view: Db) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)

/**
 * A page of a user's statement, newest first, each entry with the balance after it; entries that `filter` leaves out have moved
 * the balance all the same. Pages count from 1.
 */
export async function statementOf(
  db: Db,
  ownerId: number,
  page: number,
  limit: number,
  filter: StatementFilter = 'all',
): Promise<{ entries: StatementLine[]; total: number }> {
  const kinds = movementKindsFor(filter)
  return inSnapshot(db, async view => {
    const rows = await selectMovements(view, ownerId, kinds, { offset: (page - 1) * limit, limit })
    const { available } = await walletOf(view, ownerId)
    return {
      entries: toStatementLines(rows, available),
      total: await countMovements(view, ownerId, kinds),
    }
  })
}

/** Entries that are read and written at a time. */
const EXPORT_CHUNK_ROWS = 5_000

/**
 * The whole statement as the parts of a CSV file. It is put together before the first part is sent, some 90 bytes an entry: a
 * reader with a slow line must keep neither a connection nor an old view of the books.
 */
export async function statementCsvParts(db: Db, ownerId: number): Promise<Buffer[]> {
  return inSnapshot(db, async view => {
    const parts = [Buffer.from(statementHead())]
    let { available: latest } = await walletOf(view, ownerId)
    let before: number | null = null
    for (;;) {
      const rows: MovementRow[] = await selectMovementsBefore(
        view,
        ownerId,
        before,
        EXPORT_CHUNK_ROWS,
      )
      const entries = toStatementLines(rows, latest)
      parts.push(Buffer.from(statementLines(entries)))
      const last = entries.at(-1)
      if (!last || rows.length < EXPORT_CHUNK_ROWS) return parts
      latest = cents(last.balance - last.amount)
      before = rows.at(-1)!.id
    }
  })
}

/** What was deposited and spent on each of the last days, oldest first. `offsetMinutes`: how far ahead of UTC the reader's clock is. */
export const trendOf = (db: Db, ownerId: number, offsetMinutes: number): Promise<TrendRow[]> =>
  selectTrend(db, ownerId, TREND_DAYS, offsetMinutes)

/** Rows that break a rule of the books; empty when all is well. */
export const findViolations = (db: Db): Promise<Violation[]> => selectViolations(db)

/** The same with time for books of any length, on a connection of its own. */
export const findAllViolations = (database: Database): Promise<Violation[]> =>
  selectAllViolations(database)
