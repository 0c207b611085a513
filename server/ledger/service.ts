/**
 * The wallets. Money moves in two phases: a hold when an order is accepted, then a capture when its
 * label is bought or a release when it is not. Functions that write run in the caller's
 * transaction, so that an order's state and its money change together.
 */
import { cents, dollars, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { movementKindsFor } from '#contract/wallet-movements.ts'
import type { StatementFilter } from '#contract/wallet-movements.ts'
import type { Database, Db, Tx } from '#server/platform/database/database.ts'
import { violatesConstraint } from '#server/platform/database/database.ts'
import { cutPage } from '#server/platform/http/list-range.ts'
import type { ListRange } from '#server/platform/http/list-range.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { publish } from '#server/platform/outbox/outbox.ts'
import { selectCompleteBefore } from './complete-store.ts'
import { publishLowBalance } from './low-balance.ts'
import { countMovements, storeMovementCount } from './movement-count-store.ts'
import { collectOwed } from './owed-charges.ts'
import { EMPTY_WALLET, toStatementLines, transferKeys, insufficientBalanceText } from './rules.ts'
import type { MonthRange, StatementLine, Wallet } from './rules.ts'
import {
  findTransfer,
  insertTransfers,
  lockAvailable,
  lockBalances,
  movementsOfMonth,
  selectMovements,
  selectMovementsBefore,
  selectWallets,
} from './store.ts'
import type { MovementChoice, MovementRow, Posting } from './store.ts'

export {
  insertWallet as openWallet,
  sumAdjustedBy as adjustedBy,
  selectViolations as findViolations,
  selectAllViolations as findAllViolations,
} from './store.ts'

/**
 * Posts transfers and returns the new keys. A key that exists with the same kind and amount is a
 * repeat and ignored; with another kind or amount, also within `postings`, it is a bug: throws, and
 * nothing is written. Money that comes into a balance pays charges that wait for it. `isLocked`: see
 * `insertTransfers`.
 */
export async function postTransfers(
  tx: Tx,
  postings: Posting[],
  { isLocked = false } = {},
): Promise<Set<string>> {
  if (postings.length === 0) return new Set()
  const pending = new Map<string, Posting>()
  for (const posting of postings) {
    const id = `${posting.ownerId} ${posting.key}`
    assertSameTransfer(posting, pending.get(id) ?? posting)
    pending.set(id, posting)
  }
  const written = await refuseIfInsufficient(insertTransfers(tx, [...pending.values()], isLocked))
  for (const { ownerId, key } of written) pending.delete(`${ownerId} ${key}`)
  for (const posting of pending.values())
    assertSameTransfer(posting, await findTransfer(tx, posting.ownerId, posting.key))
  const posted = new Set(written.map(({ key }) => key))
  const receivers = postings.filter(({ key, kind }) => posted.has(key) && INCOMING.has(kind))
  await collectOwed(tx, [...new Set(receivers.map(({ ownerId }) => ownerId))])
  return posted
}

/** Kinds that bring money into the available balance. */
const INCOMING: ReadonlySet<Posting['kind']> = new Set([
  'deposit',
  'release',
  'refund',
  'adjust_up',
])

function assertSameTransfer(
  posting: Posting,
  existing: Pick<Posting, 'kind' | 'cents'> | undefined,
): void {
  if (existing?.kind === posting.kind && existing.cents === posting.cents) return
  throw new Error(
    `transfer ${posting.key} exists with other content: ${existing?.kind} ${existing?.cents}, `
      + `not ${posting.kind} ${posting.cents}`,
  )
}

/**
 * Functions that spend lock the balance, compare, and refuse with price and balance. This text is for
 * others: the balance's CHECK has ended their transaction, so the balance can't be read.
 */
async function refuseIfInsufficient<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (violatesConstraint(error, 'balance_covers_debits'))
      throw new Refusal('insufficient_balance', 'Insufficient balance')
    throw error
  }
}

export type HoldSubject =
  | { orderId: number; round: number }
  | { batchId: number; submission: number }

/**
 * Holds money for labels to be bought. Throws Refusal 402 with price and
 * balance. The balance stays locked until the transaction ends.
 */
export async function hold(
  tx: Tx,
  ownerId: number,
  amount: Cents,
  subject: HoldSubject,
): Promise<void> {
  const available = await lockAvailable(tx, ownerId)
  const key =
    'orderId' in subject
      ? transferKeys.holdOrder(subject.orderId, subject.round)
      : transferKeys.holdBatch(subject.batchId, subject.submission)
  if (available < amount && !(await findTransfer(tx, ownerId, key)))
    throw new Refusal('insufficient_balance', insufficientBalanceText(amount, available))
  const references =
    'orderId' in subject
      ? { orderId: subject.orderId, round: subject.round }
      : { batchId: subject.batchId, round: subject.submission }
  const posted = await postTransfers(tx, [
    { ownerId, kind: 'hold', cents: amount, key, ...references },
  ])
  if (posted.size > 0) await publishLowBalance(tx, ownerId, available, amount)
}

/**
 * Before work that ends in a hold: throws Refusal 402 as `hold` would. Locks
 * nothing, so only the hold decides.
 */
export async function assertAffordable(db: Db, ownerId: number, amount: Cents): Promise<void> {
  const { available } = await walletOf(db, ownerId)
  if (available < amount)
    throw new Refusal('insufficient_balance', insufficientBalanceText(amount, available))
}

/** A label with a known outcome: the hold is captured or released. */
export type Settlement = {
  ownerId: number
  orderId: number
  batchId: number | null
  round: number
  price: Cents
  bought: boolean
  reason?: string
}

/** Needs the wallets locked, by an earlier statement. */
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
    { isLocked: true },
  )
}

/** A label whose void the carrier confirmed. `note`: shown on the statement. */
export type Refund = {
  ownerId: number
  orderId: number
  batchId: number | null
  round: number
  price: Cents
  note?: string | undefined
}

/** Refunds many labels in one statement; a repeat for a label changes nothing. */
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

/** Locks wallets, before a step that settles for several users. */
export const lockWallets = (tx: Tx, ownerIds: Iterable<number>): Promise<void> =>
  lockBalances(tx, [...new Set(ownerIds)])

/**
 * Credits confirmed money of an invoice. `n`: the invoice's credit, from 1. False if it was
 * credited before.
 */
export async function credit(
  tx: Tx,
  ownerId: number,
  amount: Cents,
  invoice: { id: number; provider: string; externalId: string; n: number },
): Promise<boolean> {
  const key = transferKeys.deposit(invoice.provider, invoice.externalId, invoice.n)
  const posted = await postTransfers(tx, [
    { ownerId, kind: 'deposit', cents: amount, key, invoiceId: invoice.id },
  ])
  if (!posted.has(key)) return false
  const data = { invoiceId: invoice.externalId, amount: dollars(amount) }
  await publish(tx, [{ userId: ownerId, type: 'deposit.settled', data }])
  return true
}

/**
 * Takes back up to `most` of an invoice's credits: holds stay, and the balance does not fall below
 * zero. `n`: the invoice's reversal, from 1. Returns the amount taken, possibly zero.
 */
export async function reverseCredit(
  tx: Tx,
  ownerId: number,
  most: Cents,
  actorId: number,
  invoice: { id: number; provider: string; externalId: string; n: number },
): Promise<Cents> {
  const available = await lockAvailable(tx, ownerId)
  const amount = cents(Math.min(most, available))
  if (amount <= 0) return ZERO
  const key = transferKeys.reversal(invoice.provider, invoice.externalId, invoice.n)
  const posted = await postTransfers(tx, [
    { ownerId, kind: 'reversal', cents: amount, key, invoiceId: invoice.id, actorId },
  ])
  if (posted.size > 0) await publishLowBalance(tx, ownerId, available, amount)
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

/** Runs `read` on one snapshot, so that entries and balance agree while money moves. */
export const inSnapshot = <T>(db: Db, read: (view: Db) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)

/** Read at once. */
const CHUNK_ROWS = 1_000

const movementChoice = async (
  db: Db,
  filter: StatementFilter,
  month: MonthRange | null,
): Promise<MovementChoice> => ({
  kinds: movementKindsFor(filter),
  month: month && (await movementsOfMonth(db, month)),
})

/** `entries`: the first 1,000 of `count`; `older`: the others. `total`: of all pages; `newer`: see `countAhead`. */
export type StatementPage = {
  entries: StatementLine[]
  older: AsyncGenerator<StatementLine[]>
  count: number
  total: number
  newer: number
}

/**
 * A page of a user's statement, newest first, with the balance after each entry. Pages count from
 * 1. Movements never change, so older entries need not be of the same snapshot.
 */
export async function statementOf(
  db: Db,
  ownerId: number,
  page: number,
  limit: number,
  filter: StatementFilter = 'all',
  month: MonthRange | null = null,
): Promise<StatementPage> {
  const choice = await movementChoice(db, filter, month)
  const offset = (page - 1) * limit
  const readChunk = async (
    view: Db,
    part: { before: number | null; offset: number; limit: number },
  ) => {
    const rows = await selectMovements(view, ownerId, choice, part)
    const { available } = await walletOf(view, ownerId)
    return { entries: toStatementLines(rows, available), lastId: rows.at(-1)?.id ?? null }
  }
  const { first, total, newer } = await inSnapshot(db, async view => ({
    first: await readChunk(view, { before: null, offset, limit: Math.min(limit, CHUNK_ROWS) }),
    ...(await countMovements(view, ownerId, choice)),
  }))
  const count = Math.max(0, Math.min(limit, total - offset))
  async function* older(): AsyncGenerator<StatementLine[]> {
    let { lastId } = first
    for (let left = count - first.entries.length; left > 0;) {
      const part = { before: lastId, offset: 0, limit: Math.min(left, CHUNK_ROWS) }
      const next = await inSnapshot(db, view => readChunk(view, part))
      if (next.entries.length === 0) return
      yield next.entries
      left -= next.entries.length
      lastId = next.lastId
    }
  }
  return { entries: first.entries, older: older(), count, total, newer }
}

/** From so many movements on they are counted ahead; that many are counted in 2 ms. */
const COUNT_AHEAD_FROM = 20_000

/**
 * Stores the count of a user's movements if `newer` were counted one by one for a statement. A statement is exact without it, so it does
 * not fail with it.
 */
export async function countAhead(
  database: Database,
  ownerId: number,
  newer: number,
  from = COUNT_AHEAD_FROM,
): Promise<void> {
  if (newer < from) return
  await database
    .tx(async tx => storeMovementCount(tx, ownerId, await selectCompleteBefore(tx)))
    .catch(() => undefined)
}

/**
 * A page of entries before the movement `after`, newest first. `next`: the last one of the page,
 * null at the end of the statement.
 */
export async function statementAfter(
  db: Db,
  ownerId: number,
  { after, offset, limit }: ListRange,
  filter: StatementFilter,
  month: MonthRange | null,
): Promise<Pick<StatementPage, 'entries' | 'total' | 'newer'> & { next: number | null }> {
  const choice = await movementChoice(db, filter, month)
  return inSnapshot(db, async view => {
    const part = { before: after, offset, limit: limit + 1 }
    const rows = await selectMovements(view, ownerId, choice, part)
    const { page, next } = cutPage(rows, limit, ({ id }) => id)
    const { available } = await walletOf(view, ownerId)
    const counted = await countMovements(view, ownerId, choice)
    return { entries: toStatementLines(page, available), next, ...counted }
  })
}

/**
 * The whole statement for a file, newest first; `rest` is null if `first` has all of it. Every part
 * is read when it is needed: a slow download must not keep a database connection and an old snapshot
 * open.
 */
export async function wholeStatementOf(
  db: Db,
  ownerId: number,
): Promise<{ first: StatementLine[]; rest: AsyncGenerator<StatementLine[]> | null }> {
  const readChunk = (view: Db, before: number | null): Promise<MovementRow[]> =>
    selectMovementsBefore(view, ownerId, before, CHUNK_ROWS)
  const newest = await inSnapshot(db, async view => {
    const rows = await readChunk(view, null)
    return { rows, entries: toStatementLines(rows, (await walletOf(view, ownerId)).available) }
  })
  async function* older(): AsyncGenerator<StatementLine[]> {
    for (let { rows, entries } = newest; rows.length === CHUNK_ROWS;) {
      const last = entries.at(-1)!
      rows = await readChunk(db, rows.at(-1)!.id)
      entries = toStatementLines(rows, cents(last.balance - last.amount))
      yield entries
    }
  }
  return { first: newest.entries, rest: newest.rows.length === CHUNK_ROWS ? older() : null }
}
