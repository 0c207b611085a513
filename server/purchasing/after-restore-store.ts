import { sql } from 'kysely'
import { belongsToAccounts, currentAccount } from '#server/carriers/account-store.ts'
import type { CarrierAccountNames } from '#server/carriers/account-store.ts'
import type { Tx } from '#server/platform/database/database.ts'

/** More orders than a house takes between two backups. */
const ORDER_SEQUENCE_GAP = 1_000_000

/**
 * After a restore: labels that are queued or in somebody's hands become unknown, by the steps a label's life allows, and are due
 * to be looked up; the hands they were in are gone. Whatever was unknown before may have been asked for once more since the backup:
 * the time until 'not sold' can be believed begins anew for all. Those that were queued are the account's that was open: whoever bought
 * them since the backup did it there, whatever account had tried before. Returns how many are to be looked up.
 */
export async function markOpenLabelsUnknown(tx: Tx): Promise<number> {
  await sql`
    update shipment_order
      set state = 'purchasing', fence = fence + 1, lease_until = clock_timestamp(),
          carrier_account = coalesce(${currentAccount}, carrier_account)
      where state = 'queued'`.execute(tx)
  const { numAffectedRows } = await sql`
    update shipment_order
      set state = 'unknown', fence = fence + 1, lease_until = null, unknown_since = clock_timestamp(), run_after = clock_timestamp(),
          answer_missing_at = clock_timestamp()
      where state in ('purchasing', 'unknown')`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** After a restore: the carrier is asked again about every void under way. Returns how many. */
export async function requeueVoids(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    update shipment_order set fence = fence + 1, run_after = clock_timestamp() where state = 'voiding'`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0n)
}

/**
 * After a restore: orders that were made since the backup are forgotten here, but the carrier knows labels under their numbers. No
 * new order may be given one of them, or it would be sold somebody else's label.
 */
export async function advanceOrderSequence(tx: Tx): Promise<void> {
  const sequence = sql`pg_get_serial_sequence('shipment_order', 'id')`
  await sql`select setval(${sequence}, nextval(${sequence}) + ${ORDER_SEQUENCE_GAP})`.execute(tx)
}

/** How long after its purchase a label may be voided: carriers take them back for 30 days, and answer for twice as long. */
const VOIDABLE = sql`interval '60 days'`

/** After a restore: lists the labels that the backup has as bought and that may have been voided since. Returns how many. */
export async function enqueueRestoreChecks(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into bought_before_restore (order_id)
      select id from shipment_order where state = 'purchased'
        and purchased_at > (select max(purchased_at) from shipment_order) - ${VOIDABLE}
      on conflict do nothing`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

export type RestoreCheck = { id: number; round: number }

/**
 * Takes labels of that list that are due to be asked about, for so long (ms). Those of another account come again later, and are left
 * alone.
 */
export async function claimRestoreChecks(
  tx: Tx,
  accounts: CarrierAccountNames,
  limit: number,
  forMs: number,
): Promise<RestoreCheck[]> {
  const { rows } = await sql<RestoreCheck & { isOwn: boolean }>`
    with due as materialized (
      select order_id from bought_before_restore where next_check_at <= clock_timestamp()
        order by next_check_at limit ${limit} for update skip locked)
    update bought_before_restore b
      set next_check_at = clock_timestamp()
          + case when ${belongsToAccounts(accounts)} then ${forMs} * interval '1 millisecond' else interval '6 hours' end
      from due join shipment_order o on o.id = due.order_id
      where b.order_id = due.order_id
      returning o.id, o.round, ${belongsToAccounts(accounts)} as "isOwn"`.execute(tx)
  return rows.filter(row => row.isOwn)
}

/** Strikes labels off that list. */
export async function deleteRestoreChecks(tx: Tx, ids: number[]): Promise<void> {
  await sql`delete from bought_before_restore where order_id = any(${ids}::bigint[])`.execute(tx)
}
