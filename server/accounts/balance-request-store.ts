import { sql } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { UserRef } from './rules.ts'

/**
 * Serializes what an administrator gives and takes, so that two at once cannot pass the limit. Before all other locks of the
 * transaction.
 */
export async function lockMoneyMoves(tx: Tx, adminId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`adjustments:${adminId}`}, 0))`.execute(
    tx,
  )
}

/** What the administrator asked for and others confirmed in the last 24 hours. */
export async function confirmedSum(db: Db, adminId: number): Promise<Cents> {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(abs(difference)), 0)::bigint as sum from balance_adjustment_request
      where asked_by = ${adminId} and state = 'confirmed' and decided_at > now() - interval '24 hours'`.execute(
    db,
  )
  return cents(rows[0]!.sum)
}

/**
 * What the administrator gave back by hand in the last 24 hours: of carrier adjustments and of
 * charged scans. A label named by hand counts with what its customer got.
 */
export async function givenByHand(db: Db, adminId: number): Promise<Cents> {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(greatest(0, round((detail->>'amount')::numeric * 100)
          * case when action = 'adjustment-matched' then -1 else 1 end)), 0)::bigint as sum
      from audit_entry
      where actor_id = ${adminId} and action in ('adjustment-credited', 'adjustment-matched', 'voided-scan-returned')
        and created_at > now() - interval '24 hours'`.execute(db)
  return cents(rows[0]!.sum)
}

/** Whether the user was made an administrator in the last 24 hours. */
export async function isNewAdministrator(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from audit_entry where subject_id = ${userId} and action = 'role' and detail->>'to' = 'admin'
      and created_at > now() - interval '24 hours' limit 1`.execute(db)
  return rows.length > 0
}

export type NewBalanceRequest = {
  userId: number
  askedBy: number
  difference: Cents
  reason: string
}

/**
 * Replaces the administrator's open request for this user; false when the same one is open already.
 */
export async function insertRequest(tx: Tx, request: NewBalanceRequest): Promise<boolean> {
  const { userId, askedBy, difference, reason } = request
  const { rows: same } = await sql`
    select 1 from balance_adjustment_request
      where user_id = ${userId} and asked_by = ${askedBy} and state = 'open' and difference = ${difference} and reason = ${reason}`.execute(
    tx,
  )
  if (same.length > 0) return false
  await replaceOpenRequest(tx, userId, askedBy)
  await tx
    .insertInto('balance_adjustment_request')
    .values({ user_id: userId, asked_by: askedBy, difference, reason })
    .execute()
  return true
}

/** Ends the administrator's open request for this user: another change takes its place. */
export async function replaceOpenRequest(tx: Tx, userId: number, askedBy: number): Promise<void> {
  await sql`
    update balance_adjustment_request set state = 'replaced', decided_at = now()
      where user_id = ${userId} and asked_by = ${askedBy} and state = 'open'`.execute(tx)
}

export type OpenBalanceRequest = {
  id: number
  user: UserRef
  difference: Cents
  reason: string
  askedBy: UserRef
  askedAt: Date
}

/** Open ones, the oldest first. */
export async function selectOpenRequests(db: Db): Promise<OpenBalanceRequest[]> {
  const { rows } = await sql<OpenBalanceRequest>`
    select r.id, r.difference, r.reason, r.asked_at as "askedAt",
           json_build_object('id', u.id, 'name', u.name, 'email', u.email) as user,
           json_build_object('id', a.id, 'name', a.name, 'email', a.email) as "askedBy"
      from balance_adjustment_request r join app_user u on u.id = r.user_id join app_user a on a.id = r.asked_by
      where r.state = 'open' order by r.id limit 1000`.execute(db)
  return rows
}

export type StoredRequest = {
  userId: number
  askedBy: number
  difference: Cents
  reason: string
  state: 'open' | 'confirmed' | 'declined' | 'replaced'
}

/** With `lock` until the transaction ends. Lock the user before. */
export async function findRequest(
  db: Db,
  id: number,
  lock = false,
): Promise<StoredRequest | undefined> {
  const { rows } = await sql<StoredRequest>`
    select user_id as "userId", asked_by as "askedBy", difference, reason, state
      from balance_adjustment_request where id = ${id} ${lock ? sql`for no key update` : sql``}`.execute(
    db,
  )
  return rows[0]
}

export async function decideRequest(
  tx: Tx,
  id: number,
  state: 'confirmed' | 'declined',
  decidedBy: number,
): Promise<void> {
  await sql`
    update balance_adjustment_request set state = ${state}, decided_by = ${decidedBy}, decided_at = now()
      where id = ${id}`.execute(tx)
}

/** Of a user who is deleted, as user and as administrator. */
export async function withdrawRequests(tx: Tx, userId: number): Promise<void> {
  await sql`
    update balance_adjustment_request set state = 'replaced', decided_at = now()
      where (user_id = ${userId} or asked_by = ${userId}) and state = 'open'`.execute(tx)
}
