import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'

/** Whether labels of a user are being bought, looked for or voided. From the newest back to all: for the rare question only. */
export async function hasOpenLabels(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from shipment_order
      where user_id = ${userId} and state in ('queued', 'purchasing', 'unknown', 'voiding') limit 1`.execute(db)
  return rows.length > 0
}
