import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

export type OpenLabelLevel = { state: string; count: number; oldestSeconds: number }

/** How many labels of the house are not settled, by state, and for how long the oldest of them has waited. Reads small indexes only. */
export async function countOpenLabelsByState(db: Db): Promise<OpenLabelLevel[]> {
  const { rows } = await sql<OpenLabelLevel>`
    select state, count, coalesce(extract(epoch from clock_timestamp() - oldest), 0)::float8 as "oldestSeconds" from (
      select 'queued' as state, count(*) as count, min(queued_at) as oldest from shipment_order where state = 'queued'
      union all select 'purchasing', count(*), min(queued_at) from shipment_order where state = 'purchasing'
      union all select 'unknown', count(*), min(unknown_since) from shipment_order where state = 'unknown'
      union all select 'voiding', count(*), min(void_requested_at) from shipment_order where state = 'voiding') each`.execute(
    db,
  )
  return rows
}
