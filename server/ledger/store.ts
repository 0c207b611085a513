import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { MovementKind } from '#contract/wallet-movements.ts'
import { arrayOf } from '#server/platform/database/array-of.ts'
import type { HiddenType } from '#server/platform/database/array-of.ts'
import type { Database, Db, Tx } from '#server/platform/database/database.ts'
import { queryWithTimeout } from '#server/platform/database/database.ts'
import { idRangeForPeriod } from '#server/platform/database/id-range.ts'
import type { IdRange } from '#server/platform/database/id-range.ts'
import { ORDER_SLACK_MS } from './rules.ts'
import type { MonthRange, TransferKind, Wallet } from './rules.ts'

export type Posting = {
  ownerId: number
  kind: TransferKind
  cents: Cents
  key: string
  orderId?: number
  batchId?: number
  round?: number
  invoiceId?: number
  actorId?: number
  reason?: string
}

/** Opens an empty wallet, in the transaction that creates the user. */
export async function insertWallet(tx: Tx, ownerId: number): Promise<void> {
  await sql`insert into account (kind, owner_id) values ('available', ${ownerId}), ('held', ${ownerId})`.execute(
    tx,
  )
}

/**
 * The account of `kind` for a posting `p`: of its owner, or the one of the installation, which has no owner. Two conditions, because
 * `is not distinct from` is not looked up in an index: each transfer read the accounts of all users.
 */
const accountOfKind = (kind: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(select a.id from account a where a.kind = ${kind} and a.owner_id = p.owner_id
              union all
              select a.id from account a where a.kind = ${kind} and a.owner_id is null)`

/** Condition on a posting `p`: it was not written before. For keys whose wallet is locked first. One look-up for each, not a join. */
const IS_NEW = sql<boolean>`
  (select t.id from transfer t where t.owner_id = p.owner_id and t.key = p.key) is null`

/**
 * Writes transfers in one statement, so that balances are locked in one order. Existing keys are skipped; returns owner and key of those
 * written. `isLocked`: only for keys that each transaction writes after it has locked the wallet, in an earlier statement. They need
 * no `on conflict`, which logs each row twice.
 */
export async function insertTransfers(
  tx: Tx,
  postings: Posting[],
  isLocked = false,
): Promise<Pick<Posting, 'ownerId' | 'key'>[]> {
  const { places, pairs } = pairsOf(postings)
  const column = (type: HiddenType, pick: (p: Posting) => unknown) =>
    arrayOf(type, postings.map(pick))
  const owners = pairs.map(p => p.ownerId)
  const kinds = pairs.map(p => p.kind)
  const { rows } = await sql<Pick<Posting, 'ownerId' | 'key'>>`
    with pair as materialized (
      select p.place, p.owner_id, p.kind, ${accountOfKind(sql`r.debit_kind`)} as debit, ${accountOfKind(sql`r.credit_kind`)} as credit
        from unnest(${arrayOf('bigint', owners)}, ${arrayOf('text', kinds)}) with ordinality as p (owner_id, kind, place)
        left join transfer_rule r on r.kind = p.kind)
    insert into transfer (owner_id, kind, debit_account_id, credit_account_id, cents, key, order_id, batch_id, round, invoice_id,
        actor_id, reason)
    select p.* from (
      select pair.owner_id, pair.kind, pair.debit, pair.credit, v.cents, v.key, v.order_id, v.batch_id, v.round, v.invoice_id,
             v.actor_id, v.reason
        from unnest(${arrayOf('int', places)}, ${column('bigint', p => p.cents)}, ${column('text', p => p.key)},
            ${column('bigint', p => p.orderId)}, ${column('bigint', p => p.batchId)}, ${column('int', p => p.round)},
            ${column('bigint', p => p.invoiceId)}, ${column('bigint', p => p.actorId)}, ${column('text', p => p.reason)})
             with ordinality as v (place, cents, key, order_id, batch_id, round, invoice_id, actor_id, reason, n)
        join pair using (place) order by v.n) p
    ${isLocked ? sql`where ${IS_NEW}` : sql`on conflict (owner_id, key) do nothing`}
    returning owner_id as "ownerId", key`.execute(tx)
  return rows
}

/** Owner and kind decide the accounts, and a group of labels has few such pairs. `places`: of each posting's pair, from 1. */
function pairsOf(postings: readonly Posting[]) {
  const known = new Map<string, number>()
  const pairs: Pick<Posting, 'ownerId' | 'kind'>[] = []
  const places = postings.map(({ ownerId, kind }) => {
    const name = `${ownerId} ${kind}`
    const place = known.get(name) ?? pairs.push({ ownerId, kind })
    known.set(name, place)
    return place
  })
  return { places, pairs }
}

export async function findTransfer(
  db: Db,
  ownerId: number,
  key: string,
): Promise<{ kind: TransferKind; cents: Cents } | undefined> {
  const row = await db
    .selectFrom('transfer')
    .select(['kind', 'cents'])
    .where('owner_id', '=', ownerId)
    .where('key', '=', key)
    .executeTakeFirst()
  return row && { kind: row.kind, cents: cents(row.cents) }
}

/** What an administrator adjusted in the last 24 hours, up or down, in cents. */
export async function sumAdjustedBy(db: Db, adminId: number): Promise<Cents> {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(cents), 0)::bigint as sum from transfer
      where actor_id = ${adminId} and kind in ('adjust_up', 'adjust_down') and created_at > now() - interval '24 hours'`.execute(
    db,
  )
  return cents(rows[0]!.sum)
}

/** The available balance, locked until the transaction ends. */
export async function lockAvailable(tx: Tx, ownerId: number): Promise<Cents> {
  const row = await tx
    .selectFrom('balance')
    .innerJoin('account', 'account.id', 'balance.account_id')
    .select(eb => eb('balance.credits', '-', eb.ref('balance.debits')).as('available'))
    .where('account.owner_id', '=', ownerId)
    .where('account.kind', '=', 'available')
    .forUpdate('balance')
    .executeTakeFirstOrThrow()
  return cents(Number(row.available))
}

/** What owners have available, locked until the transaction ends; without wallets that another transaction has locked. */
export async function lockFreeWallets(tx: Tx, ownerIds: number[]): Promise<Map<number, Cents>> {
  const { rows } = await sql<{ ownerId: number; available: number }>`
    with locked as materialized (
      select a.owner_id, a.kind, b.credits - b.debits as amount from balance b join account a on a.id = b.account_id
        where a.owner_id = any(${arrayOf('bigint', ownerIds)}) order by b.account_id for update of b skip locked)
    select a.owner_id as "ownerId", a.amount as available
      from locked a join locked h on h.owner_id = a.owner_id and h.kind = 'held' where a.kind = 'available'`.execute(
    tx,
  )
  return new Map(rows.map(({ ownerId, available }) => [ownerId, cents(available)]))
}

/** Locks balances in the order of their accounts, before a step with more than one statement. */
export async function lockBalances(tx: Tx, ownerIds: number[]): Promise<void> {
  await sql`select 1 from balance b join account a on a.id = b.account_id where a.owner_id = any(${arrayOf('bigint', ownerIds)})
    order by b.account_id for update of b`.execute(tx)
}

export type WalletRow = Wallet & { ownerId: number }

/** Users without a wallet are left out. */
export async function selectWallets(db: Db, ownerIds: number[]): Promise<WalletRow[]> {
  const { rows } = await sql<{
    owner_id: number
    available: number
    held: number
    deposited: number
    spent: number
  }>`
    select a.owner_id, b.credits - b.debits as available, h.credits - h.debits as held, b.deposited, h.captured - b.refunded as spent
      from account a
      join balance b on b.account_id = a.id
      join account ha on ha.owner_id = a.owner_id and ha.kind = 'held'
      join balance h on h.account_id = ha.id
      where a.kind = 'available' and a.owner_id = any(${ownerIds}::bigint[])`.execute(db)
  return rows.map(row => ({
    ownerId: row.owner_id,
    available: cents(row.available),
    held: cents(row.held),
    deposited: cents(row.deposited),
    spent: cents(row.spent),
  }))
}

/** `newerSum`: the signed sum of all movements after this one. */
export type MovementRow = {
  id: number
  kind: MovementKind
  cents: Cents
  newerSum: Cents
  at: Date
  orderId: number | null
  batchId: number | null
  invoiceId: number | null
  round: number | null
  labels: number | null
  note: string | null
}

/** Kinds that move no money of the customer. */
const OF_BUSINESS = sql`('carrier_cost', 'carrier_cost_back')`
const SIGNED_CENTS = sql`case when kind in ('hold', 'adjust_down', 'reversal', 'carrier_charge') then -cents
  when kind in ${OF_BUSINESS} then 0 else cents end`
/** How many labels a bulk order was placed with; a retry holds money for some of them only. */
const LABELS = sql`case when kind = 'hold' and round = 1
  then (select total_count from batch where batch.id = transfer.batch_id) end`
const COLUMNS = sql`id, kind, cents, created_at as at, order_id as "orderId", batch_id as "batchId", invoice_id as "invoiceId", round,
  ${LABELS} as labels, reason as note`
const NEWER_SUM = sql`coalesce(sum(${SIGNED_CENTS}) over (order by id desc rows between unbounded preceding and 1 preceding), 0)::bigint`

/** `month`: null for all; its transfers have ids in the range. */
export type MovementChoice = {
  kinds: readonly MovementKind[]
  month: (MonthRange & IdRange) | null
}

export async function movementsOfMonth(db: Db, month: MonthRange): Promise<MonthRange & IdRange> {
  const [from, to] = [month.from.getTime() - ORDER_SLACK_MS, month.to.getTime() + ORDER_SLACK_MS]
  const table = { table: 'transfer', timeColumn: 'created_at' }
  return { ...month, ...(await idRangeForPeriod(db, table, new Date(from), new Date(to))) }
}

export const isOfMonth = (month: MovementChoice['month']): RawBuilder<boolean> =>
  month
    ? sql`id >= ${month.low} and id < ${month.high} and created_at >= ${month.from} and created_at < ${month.to}`
    : sql`true`

/**
 * A page of movements of the available balance, newest first; `before`: only ids below it;
 * `newerSum` includes the kinds that are left out. Without a month, pages and sums are read from an index only; table rows are fetched
 * for the page alone.
 */
export async function selectMovements(
  db: Db,
  ownerId: number,
  { kinds, month }: MovementChoice,
  page: { before: number | null; offset: number; limit: number },
): Promise<MovementRow[]> {
  const { rows } = await sql<MovementRow>`
    with page as materialized (
      select id from transfer where owner_id = ${ownerId} and kind <> 'capture' and kind = any(${kinds}::text[])
          and (${page.before}::bigint is null or id < ${page.before}::bigint) and ${isOfMonth(month)}
        order by id desc limit ${page.limit} offset ${page.offset}),
    summed as (
      select id, ${NEWER_SUM} as "newerSum" from transfer
        where owner_id = ${ownerId} and kind <> 'capture' and id between (select min(id) from page) and (select max(id) from page)),
    -- Materialized: computed once, not for each row of the page.
    later as materialized (
      select coalesce(sum(${SIGNED_CENTS}), 0)::bigint as "newerSum" from transfer
        where owner_id = ${ownerId} and kind <> 'capture' and id > (select max(id) from page))
    select ${COLUMNS}, summed."newerSum" + later."newerSum" as "newerSum"
      from later, page join summed using (id) join transfer using (id) order by id desc`.execute(db)
  return rows.map(row => ({ ...row, cents: cents(row.cents), newerSum: cents(row.newerSum) }))
}

/**
 * Movements (captures are none) with ids below `before`, newest first; `newerSum` counts from
 * `before`.
 */
export async function selectMovementsBefore(
  db: Db,
  ownerId: number,
  before: number | null,
  limit: number,
): Promise<MovementRow[]> {
  const { rows } = await sql<MovementRow>`
    select ${COLUMNS}, ${NEWER_SUM} as "newerSum"
      from transfer where owner_id = ${ownerId} and kind <> 'capture' and kind not in ${OF_BUSINESS}
        and (${before}::bigint is null or id < ${before}::bigint)
      order by id desc limit ${limit}`.execute(db)
  return rows.map(row => ({ ...row, cents: cents(row.cents), newerSum: cents(row.newerSum) }))
}

export type Violation = { rule: string; subject: string; detail: string }

/** Materialized: planned for a few rows, the checks look up each label by itself, which takes twenty times as long. */
const VIOLATIONS_QUERY =
  'with found as materialized (select * from check_invariants()) select rule, subject, detail from found limit 1000'

/** The first 1,000 violations of the invariants; none when the books are right. */
export async function selectViolations(db: Db): Promise<Violation[]> {
  const { rows } = await sql<Violation>`${sql.raw(VIOLATIONS_QUERY)}`.execute(db)
  return rows
}

/**
 * A million labels take half a minute on two busy cores, which is the limit of other statements.
 */
const INVARIANTS_TIMEOUT_MS = 10 * 60_000

/** Like `selectViolations`, with a timeout of its own for large books. */
export const selectAllViolations = (database: Database): Promise<Violation[]> =>
  queryWithTimeout<Violation>(database, VIOLATIONS_QUERY, INVARIANTS_TIMEOUT_MS)
