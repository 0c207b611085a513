import { sql } from 'kysely'
import { findViolations } from '#server/ledger/service.ts'
import type { Database } from '#server/platform/database/database.ts'

/**
 * Compares our records with the carrier's: violated invariants, labels sold without an order,
 * labels that were never sold, voids known to one side only. Empty when all is well. Only while
 * nothing is in progress.
 */
export async function findDiscrepancies(database: Database): Promise<string[]> {
  const broken = (await findViolations(database.db)).map(
    found => `${found.rule} ${found.subject}: ${found.detail}`,
  )
  const { rows } = await sql<{ line: string }>`
    select format('order %s is %s with %s, the carrier sold %s', coalesce(o.id::text, s.reference), o.state, o.tracking_number,
        s.tracking_number || case when s.voided_at is null then '' else ' and voided it' end) as line
      from (select * from shipment_order where tracking_number is not null) o
      full join sandbox_purchase s on s.reference = o.id::text and s.tracking_number = o.tracking_number
      where o.id is null or s.reference is null
            or (o.state = 'voided' or o.void_confirmed_at is not null) <> (s.voided_at is not null)`.execute(
    database.db,
  )
  return [...broken, ...rows.map(row => row.line)]
}
