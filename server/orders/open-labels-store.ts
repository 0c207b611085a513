import { sql } from 'kysely'
import { belongsToAccounts, labelAccount } from '#server/carriers/service.ts'
import type { CarrierAccountNames } from '#server/carriers/service.ts'
import type { Db } from '#server/platform/database/database.ts'

const OPEN_STATES = ['queued', 'purchasing', 'unknown', 'voiding'] as const

/** One query for each state, as a literal: otherwise the planner does not use the small index of that state. */
export async function hasOpenLabels(db: Db, userId: number): Promise<boolean> {
  const ofStates = OPEN_STATES.map(
    state =>
      sql`(select 1 from shipment_order where user_id = ${userId} and state = ${sql.lit(state)} limit 1)`,
  )
  const { rows } = await sql`${sql.join(ofStates, sql` union all `)} limit 1`.execute(db)
  return rows.length > 0
}

/** Whether the user has ever ordered a label. */
export async function hasOrders(db: Db, userId: number): Promise<boolean> {
  const { rows } =
    await sql`select 1 from order_list_entry where user_id = ${userId} limit 1`.execute(db)
  return rows.length > 0
}

/** `ahead`: labels of the user's earlier orders. `owners`: users who share the rate limit now. */
export async function countQueuedAhead(
  db: Db,
  userId: number,
  batchId: number,
): Promise<{ ahead: number; owners: number }> {
  const { rows } = await sql<{ ahead: number; owners: number }>`
    with recursive owner as (
      (select user_id from shipment_order where state = 'queued' order by user_id limit 1)
      union all
      select (select q.user_id from shipment_order q where q.state = 'queued' and q.user_id > owner.user_id order by q.user_id limit 1)
        from owner where owner.user_id is not null
    )
    select (select count(*) from owner where user_id is not null)::int as owners,
      (select count(*) from shipment_order where user_id = ${userId} and state = 'queued'
        and id < (select min(id) from shipment_order where batch_id = ${batchId}))::int as ahead`.execute(
    db,
  )
  return rows[0]!
}

/** `account`: null if none was recorded. */
export type OtherAccountLabels = { account: string | null; count: number; oldest: Date | null }

/**
 * A queued label is open if an answer of its round is missing: the account may still sell it, and
 * only a repetition there gets the same label.
 */
const OPEN_WITH_CARRIER = [
  // By Retry Failed after a restore.
  { state: 'purchasing', and: sql`` },
  { state: 'unknown', and: sql`` },
  { state: 'voiding', and: sql`and o.void_confirmed_at is null` },
  { state: 'queued', and: sql`and o.answer_missing_at is not null` },
] as const

/** Without those of `accounts`. States are literals as in `hasOpenLabels`. */
export async function countOpenInOtherAccounts(
  db: Db,
  accounts: CarrierAccountNames | null,
): Promise<OtherAccountLabels[]> {
  const open = sql.join(
    OPEN_WITH_CARRIER.map(
      ({ state, and }) => sql`
    select ${labelAccount} as account,
        case when o.state = 'voiding' then o.void_requested_at else coalesce(o.unknown_since, o.queued_at) end as since
      from shipment_order o where o.state = ${sql.lit(state)} ${and} and ${accounts ? sql`not ${belongsToAccounts(accounts)}` : sql`true`}`,
    ).concat(sql`
    select c.account, c.started_at as since from open_carrier_call c
      where ${accounts ? sql`c.account <> all(${accounts}::text[])` : sql`true`}`),
    sql` union all `,
  )
  const { rows } = await sql<OtherAccountLabels>`
    select account, count(*)::int as count, min(since) as oldest from (${open}) label group by 1 order by 1`.execute(
    db,
  )
  return rows
}

export async function selectInAccounts(
  db: Db,
  accounts: CarrierAccountNames,
  ids: number[],
): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select o.id from shipment_order o where o.id = any(${ids}::bigint[]) and ${belongsToAccounts(accounts)}`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Unknown labels that were queued longer ago than this (ms). */
export async function countUnknownQueuedBefore(db: Db, agoMs: number): Promise<number> {
  const { rows } = await sql<{ many: number }>`
    select count(*)::int as many from shipment_order
      where state = 'unknown' and queued_at < clock_timestamp() - ${agoMs} * interval '1 millisecond'`.execute(
    db,
  )
  return rows[0]!.many
}

/** The carrier account of a label; null for an unknown order, and if none was stored. */
export async function selectAccountOfLabel(db: Db, orderId: number): Promise<string | null> {
  const { rows } = await sql<{ account: string | null }>`
    select ${labelAccount} as account from shipment_order o where o.id = ${orderId}`.execute(db)
  return rows[0]?.account ?? null
}

export type OpenLabelLevel = { state: string; count: number; oldestSeconds: number }

/** Reads only the small index of each state. */
export async function countOpenLabelsByState(db: Db): Promise<OpenLabelLevel[]> {
  const { rows } = await sql<OpenLabelLevel>`
    select state, count, coalesce(extract(epoch from clock_timestamp() - oldest), 0)::float8 as "oldestSeconds" from (
      select 'queued' as state, count(*) as count, min(queued_at) as oldest from shipment_order
        where state = 'queued' and id not in (select order_id from open_carrier_call)
      union all select 'purchasing', count(*), min(queued_at) from (
        select queued_at from open_carrier_call c join shipment_order o on o.id = c.order_id
        union all select queued_at from shipment_order where state = 'purchasing') called
      union all select 'unknown', count(*), min(unknown_since) from shipment_order where state = 'unknown'
      union all select 'voiding', count(*), min(void_requested_at) from shipment_order
        where state = 'voiding' and void_confirmed_at is null) each`.execute(db)
  return rows
}
