import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database.ts'

/** Whether labels of a user are being bought, looked for or voided. From the newest back to all: for the rare question only. */
export async function hasOpenLabels(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from shipment_order
      where user_id = ${userId} and state in ('queued', 'purchasing', 'unknown', 'voiding') limit 1`.execute(db)
  return rows.length > 0
}

/** What stands before a batch in the queue: its owner's labels of earlier orders, and how many owners share the carrier's pace. */
export async function countAhead(db: Db, userId: number, batchId: number): Promise<{ ahead: number, owners: number }> {
  const { rows } = await sql<{ ahead: number, owners: number }>`
    with recursive owner as (
      (select user_id from shipment_order where state = 'queued' order by user_id limit 1)
      union all
      select (select q.user_id from shipment_order q where q.state = 'queued' and q.user_id > owner.user_id order by q.user_id limit 1)
        from owner where owner.user_id is not null
    )
    select (select count(*) from owner where user_id is not null)::int as owners,
      (select count(*) from shipment_order where user_id = ${userId} and state = 'queued'
        and id < (select min(id) from shipment_order where batch_id = ${batchId}))::int as ahead`.execute(db)
  return rows[0]!
}

/** Labels of which only the carrier that was asked can say what became of them. */
export async function countAtCarrier(tx: Tx): Promise<number> {
  const { rows } = await sql<{ many: number }>`
    select count(*)::int as many from shipment_order where state in ('purchasing', 'unknown', 'voiding')`.execute(tx)
  return rows[0]!.many
}
