import { sql } from 'kysely'
import type { Tx } from '#server/platform/database.ts'

/** More orders than a house takes between two backups. */
const NUMBERS_SKIPPED = 1_000_000

/**
 * After a restore: labels that are queued or in somebody's hands become unknown, by the steps a label's life allows, and are due
 * to be looked up; the hands they were in are gone. Whatever was unknown before may have been asked for once more since the backup:
 * the time until 'not sold' can be believed begins anew for all. Returns how many are to be looked up.
 */
export async function distrustOpenLabels(tx: Tx): Promise<number> {
  await sql`
    update shipment_order set state = 'purchasing', fence = fence + 1, lease_until = clock_timestamp() where state = 'queued'`.execute(tx)
  const { numAffectedRows } = await sql`
    update shipment_order
      set state = 'unknown', fence = fence + 1, lease_until = null, unknown_since = clock_timestamp(), run_after = clock_timestamp()
      where state in ('purchasing', 'unknown')`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** After a restore: the carrier is asked again about every void under way. Returns how many. */
export async function hurryVoids(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    update shipment_order set fence = fence + 1, run_after = clock_timestamp() where state = 'voiding'`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/**
 * After a restore: orders that were made since the backup are forgotten here, but the carrier knows labels under their numbers. No
 * new order may be given one of them, or it would be sold somebody else's label.
 */
export async function skipOrderNumbers(tx: Tx): Promise<void> {
  const sequence = sql`pg_get_serial_sequence('shipment_order', 'id')`
  await sql`select setval(${sequence}, nextval(${sequence}) + ${NUMBERS_SKIPPED})`.execute(tx)
}
