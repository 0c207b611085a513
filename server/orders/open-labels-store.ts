import { sql } from 'kysely'
import { labelAccount, belongsToAccounts } from '#server/carriers/account-store.ts'
import type { CarrierAccountNames } from '#server/carriers/account-store.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Whether labels of a user are being bought, looked for or voided. From the newest back to all: for the rare question only. */
export async function hasOpenLabels(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from shipment_order
      where user_id = ${userId} and state in ('queued', 'purchasing', 'unknown', 'voiding') limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** What stands before a batch in the queue: its owner's labels of earlier orders, and how many owners share the carrier's pace. */
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

/** Labels of which only an account that is not open can say what became of them: `account` is its name, null where none was kept. */
export type OtherAccountLabels = { account: string | null; count: number; oldest: Date | null }

const OPEN_WITH_CARRIER = ['purchasing', 'unknown', 'voiding'] as const

/**
 * Open labels of other accounts than this one, by account; with `accounts` null of all accounts. Each state by itself and as a literal:
 * only so does the planner see that the small index of that state will do.
 */
export async function countOpenInOtherAccounts(
  db: Db,
  accounts: CarrierAccountNames | null,
): Promise<OtherAccountLabels[]> {
  const open = sql.join(
    OPEN_WITH_CARRIER.map(
      state => sql`
    select ${labelAccount} as account,
        case when o.state = 'voiding' then o.void_requested_at else coalesce(o.unknown_since, o.queued_at) end as since
      from shipment_order o where o.state = ${sql.lit(state)} and ${accounts ? sql`not ${belongsToAccounts(accounts)}` : sql`true`}`,
    ),
    sql` union all `,
  )
  const { rows } = await sql<OtherAccountLabels>`
    select account, count(*)::int as count, min(since) as oldest from (${open}) label group by 1 order by 1`.execute(
    db,
  )
  return rows
}

/** Which of these labels were bought in this account. */
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
