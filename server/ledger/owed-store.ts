import { sql } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'

export type NewCharge = {
  ownerId: number
  orderId: number
  subject: string
  reason: string
  cents: Cents
}

/** False if the subject was charged before. */
export async function insertOwedCharge(tx: Tx, charge: NewCharge): Promise<boolean> {
  const { ownerId, orderId, subject, reason } = charge
  const added = await tx
    .insertInto('owed_charge')
    .values({ owner_id: ownerId, order_id: orderId, subject, reason, cents: charge.cents })
    .onConflict(conflict => conflict.column('subject').doNothing())
    .returning('id')
    .executeTakeFirst()
  return added !== undefined
}

/** Adds to the charge of the subject, or makes one. */
export async function raiseOwedCharge(tx: Tx, charge: NewCharge): Promise<void> {
  const { ownerId, orderId, subject, reason } = charge
  await sql`insert into owed_charge (owner_id, order_id, subject, reason, cents)
    values (${ownerId}::bigint, ${orderId}::bigint, ${subject}, ${reason}, ${charge.cents})
    on conflict (subject) do update set cents = owed_charge.cents + excluded.cents`.execute(tx)
}

/** `due`: neither collected nor waived; `collections`: transfers so far. */
export type WaitingCharge = {
  id: number
  ownerId: number
  orderId: number
  subject: string
  reason: string
  due: Cents
  collections: number
}

/** Charges that wait, oldest first by owner, locked. Lock balances before. */
export async function lockWaiting(tx: Tx, ownerIds: readonly number[]): Promise<WaitingCharge[]> {
  const { rows } = await sql<WaitingCharge>`
    select id, owner_id as "ownerId", order_id as "orderId", subject, reason, cents - collected_cents - waived_cents as due, collections
      from owed_charge where owner_id = any(${ownerIds}::bigint[]) and collected_cents + waived_cents < cents
      order by owner_id, id for update`.execute(tx)
  return rows.map(row => ({ ...row, due: cents(row.due) }))
}

export async function addCollected(
  tx: Tx,
  collected: readonly { id: number; cents: Cents }[],
): Promise<void> {
  await sql`update owed_charge c set collected_cents = c.collected_cents + p.cents, collections = c.collections + 1
    from unnest(${collected.map(({ id }) => id)}::bigint[], ${collected.map(one => one.cents)}::bigint[]) as p (id, cents)
    where c.id = p.id`.execute(tx)
}

/** `waiting`: still to collect; `kept`: collected and not given back. */
export type ChargeState = { orderId: number; waiting: Cents; kept: Cents }

export async function selectChargeOwner(db: Db, subject: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('owed_charge')
    .select('owner_id')
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.owner_id
}

/**
 * Of a charge: `cents` in all, what of it can still be given back, and whether some was. Undefined
 * for an unknown subject.
 */
export async function selectCharge(
  db: Db,
  subject: string,
): Promise<{ cents: Cents; left: Cents; isGivenBack: boolean } | undefined> {
  const { rows } = await sql<{ cents: number; left: number; isGivenBack: boolean }>`
    select cents, cents - waived_cents - returned_cents as left, waived_cents + returned_cents > 0 as "isGivenBack"
      from owed_charge where subject = ${subject}`.execute(db)
  return rows[0] && { ...rows[0], cents: cents(rows[0].cents), left: cents(rows[0].left) }
}

/** Lock the owner's balance before. */
export async function lockCharge(tx: Tx, subject: string): Promise<ChargeState> {
  const { rows } = await sql<ChargeState>`
    select order_id as "orderId", cents - collected_cents - waived_cents as waiting, collected_cents - returned_cents as kept
      from owed_charge where subject = ${subject} for update`.execute(tx)
  return rows[0]!
}

export async function endCharge(
  tx: Tx,
  subject: string,
  { waived, returned }: { waived: Cents; returned: Cents },
): Promise<void> {
  await sql`update owed_charge set waived_cents = waived_cents + ${waived}, returned_cents = returned_cents + ${returned}
    where subject = ${subject}`.execute(tx)
}

/** What waits is no longer owed: the owner's account is deleted. Needs the balance locked. */
export async function waiveWaiting(tx: Tx, ownerId: number): Promise<void> {
  await sql`update owed_charge set waived_cents = cents - collected_cents
    where owner_id = ${ownerId}::bigint and collected_cents + waived_cents < cents`.execute(tx)
}

/** What waits, by subject; subjects of which nothing waits are left out. */
export async function selectWaiting(
  db: Db,
  subjects: readonly string[],
): Promise<Map<string, Cents>> {
  const { rows } = await sql<{ subject: string; waiting: number }>`
    select subject, cents - collected_cents - waived_cents as waiting from owed_charge
      where subject = any(${subjects}::text[]) and collected_cents + waived_cents < cents`.execute(
    db,
  )
  return new Map(rows.map(({ subject, waiting }) => [subject, cents(waiting)]))
}

/** Number and sum of the charges that wait: of a user, or of all for null. */
export async function sumWaiting(
  db: Db,
  ownerId: number | null,
): Promise<{ charges: number; total: Cents }> {
  const { rows } = await sql<{ charges: number; total: number }>`
    select count(*) as charges, coalesce(sum(cents - collected_cents - waived_cents), 0)::bigint as total from owed_charge
      where collected_cents + waived_cents < cents and (${ownerId}::bigint is null or owner_id = ${ownerId}::bigint)`.execute(
    db,
  )
  return { charges: rows[0]!.charges, total: cents(rows[0]!.total) }
}
