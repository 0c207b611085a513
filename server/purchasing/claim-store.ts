/** Claims of queued labels: which labels an account may buy now, and the open calls that keep others away. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { belongsToAccounts } from '#server/carriers/service.ts'
import type { CarrierAccountNames } from '#server/carriers/service.ts'
import type { SaleScope } from '#server/carriers/source-rules.ts'
import { arrayOf, scalarOf } from '#server/platform/database/array-of.ts'
import { TransactionConflict, violatesConstraint } from '#server/platform/database/database.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { claimColumns, toClaims } from './queue-store.ts'
import type { PurchaseClaim } from './queue-store.ts'

/** An account's names, and the services that it may sell now; null without other accounts. */
export type Seller = { names: CarrierAccountNames; scope: SaleScope | null }

/**
 * SQL condition on a queued label `o`: the account may sell it, and no other may still have done so. A
 * missing answer of the round ties it to the account that was called.
 */
const isFreeFor = ({ names, scope }: Seller): RawBuilder<boolean> => {
  if (scope === null)
    return sql<boolean>`(o.answer_missing_at is null or ${belongsToAccounts(names)})`
  const { all, listed } = scope
  if (sellsNothing(scope))
    return sql<boolean>`(o.answer_missing_at is not null and ${belongsToAccounts(names)})`
  const isSold = all
    ? sql`o.service_uid <> all(${listed}::text[])`
    : sql`o.service_uid = any(${listed}::text[])`
  return sql<boolean>`case when o.answer_missing_at is null then ${isSold} else ${belongsToAccounts(names)} end`
}

/** As of a second account while the first ones work: it claims only what is tied to it. */
const sellsNothing = (scope: SaleScope | null): boolean =>
  scope !== null && !scope.all && scope.listed.length === 0

/** Whether a queued row has no open call. Those are few, so they are read once, and each row is looked for in memory. */
const isNotCalled = (row: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`${row}.id not in (select order_id from called)`

/**
 * Condition on queued rows `row` that may be claimed at all. Those of an account that sells nothing are in the index
 * order_queue_tied, so that it does not read a long queue at each poll.
 */
const isInQueue = ({ scope }: Seller, row: RawBuilder<unknown>): RawBuilder<boolean> =>
  sellsNothing(scope)
    ? sql<boolean>`${row}.state = 'queued' and ${row}.answer_missing_at is not null and ${isNotCalled(row)}`
    : sql<boolean>`${row}.state = 'queued' and ${isNotCalled(row)}`

/** Users of one claim: bounds its cost where few of their labels can be claimed. */
const USERS_AT_ONCE = 200

/** Users with labels that the seller may claim, those after `after` first, so that users take turns. */
const turnsOf = (
  seller: Seller,
  limit: number,
  after: number,
): RawBuilder<unknown> => sql`called as materialized (select order_id from open_carrier_call), owner as (
      (select q.user_id from only shipment_order q where ${isInQueue(seller, sql`q`)} order by q.user_id limit 1)
      union all
      select (select q.user_id from only shipment_order q where ${isInQueue(seller, sql`q`)} and q.user_id > owner.user_id
          order by q.user_id limit 1)
        from owner where owner.user_id is not null
    ), turn as (
      select user_id, user_id <= ${after} as is_later, greatest(1, ceil(${limit}::numeric / count(*) over ()))::int as share
        from owner where user_id is not null order by is_later, user_id limit ${sql.lit(USERS_AT_ONCE)}
    )`

/** The clock may have been set back: a label without an attempt waits for nothing, and none for more than an hour (`retryAfterMs`). */
const isDue = sql<boolean>`(o.run_after <= clock_timestamp() or (o.attempt = 0 and o.run_after <= o.queued_at)
  or o.run_after > clock_timestamp() + interval '61 minutes')`

/** SQL of the open calls of the rows `taken`: the claim itself. */
const openCalls = ({ names }: Seller, leaseMs: number): RawBuilder<unknown> => sql`
      insert into open_carrier_call (order_id, round, attempt, fence, account, lease_until)
        select id, round, attempt + 1, fence + 1, ${names[0]}, clock_timestamp() + ${leaseMs} * interval '1 millisecond'
          from taken`

/**
 * `lastUserId`: the `after` of the next claim, past users of whom nothing can be claimed. `isLocked`: another claim is under way, so
 * nothing was looked at.
 */
export type QueueClaim = { claims: PurchaseClaim[]; lastUserId: number; isLocked: boolean }

/**
 * Claims an equal share of each user, the oldest first, until there are `limit`. Claims have a lock: each begins when the one before is
 * committed, so it sees all open calls and needs no locks of the labels. Throws TransactionConflict, so that the transaction is
 * repeated, where a program of the version before, without that lock (decision 79), has claimed one of them.
 */
export async function claimQueued(
  tx: Tx,
  seller: Seller,
  limit: number,
  leaseMs: number,
  after: number,
): Promise<QueueClaim> {
  if (!(await tryLockClaims(tx))) return { claims: [], lastUserId: after, isLocked: true }
  const claims = await claimUnderLock(tx, seller, limit, leaseMs, after)
  await requireUnchanged(tx, claims)
  const lastUserId = claims.at(-1)?.userId ?? (await selectLastTurn(tx, seller, limit, after))
  return { claims, lastUserId, isLocked: false }
}

/** Until the transaction ends. Does not wait: the account's budget is locked, and a process that hangs may have the lock. */
async function tryLockClaims(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ isFree: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('claim-queued', 0)) as "isFree"`.execute(tx)
  return rows[0]!.isFree
}

async function claimUnderLock(
  tx: Tx,
  seller: Seller,
  limit: number,
  leaseMs: number,
  after: number,
): Promise<PurchaseClaim[]> {
  const { rows } = await sql<PurchaseClaim>`
    with recursive ${turnsOf(seller, limit, after)}, taken as materialized (
      select mine.* from turn cross join lateral (
        select o.* from only shipment_order o
          where o.user_id = turn.user_id and ${isInQueue(seller, sql`o`)} and ${isDue}
          and ${isFreeFor(seller)}
          order by o.id limit turn.share) mine
        limit ${scalarOf('int', limit)}
    ), c as (${openCalls(seller, leaseMs)})
    select ${claimColumns(1)} from taken o`
    .execute(tx)
    .catch((error: unknown) => {
      throw violatesConstraint(error, 'open_carrier_call_pkey') ? new TransactionConflict() : error
    })
  return toClaims(rows)
}

/**
 * A program without the lock may have claimed and settled a label while the claim was running: no key tells. From here on the new call
 * keeps it away.
 */
async function requireUnchanged(tx: Tx, claims: PurchaseClaim[]): Promise<void> {
  if (claims.length === 0) return
  const { rows } = await sql`
    select 1 from unnest(${arrayOf(
      'bigint',
      claims.map(({ id }) => id),
    )}, ${arrayOf(
      'int',
      claims.map(({ fence }) => fence),
    )}) as c (id, fence)
      where (select o.state = 'queued' and o.fence = c.fence - 1 from only shipment_order o where o.id = c.id) is not true
      limit 1`.execute(tx)
  if (rows.length > 0) throw new TransactionConflict()
}

async function selectLastTurn(
  tx: Tx,
  seller: Seller,
  limit: number,
  after: number,
): Promise<number> {
  const { rows } = await sql<{ userId: number }>`
    with recursive ${turnsOf(seller, limit, after)}
      select user_id as "userId" from turn order by is_later desc, user_id desc limit 1`.execute(tx)
  return rows[0]?.userId ?? 0
}

/** Labels that this transaction has queued: no other one sees them yet. */
export async function claimQueuedByIds(
  tx: Tx,
  seller: Seller,
  ids: number[],
  leaseMs: number,
): Promise<PurchaseClaim[]> {
  const { rows } = await sql<PurchaseClaim>`
    with taken as materialized (
      select o.* from only shipment_order o
        where o.id = any(${arrayOf('bigint', ids)}) and o.state = 'queued' and ${isFreeFor(seller)}
    ), c as (${openCalls(seller, leaseMs)})
    select ${claimColumns(1)} from taken o order by o.id`.execute(tx)
  return toClaims(rows)
}
