import { sql } from 'kysely'
import { belongsToAccounts, currentAccount, isNotOf } from '#server/carriers/service.ts'
import type { CarrierAccountNames, EndedCall } from '#server/carriers/service.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { NOT_PAID_BACK } from './manual-resolution-rules.ts'
import { endOpenCalls } from './queue-store.ts'

/**
 * The quarantine starts again for all open labels: they may have been bought after the backup. Queued labels get the first account
 * that was connected at the backup, where they are looked up first; one that was called, or whose answer is missing, keeps its own.
 * `calls`: that were open at the backup.
 */
export async function markOpenLabelsUnknown(tx: Tx): Promise<{ open: number; calls: EndedCall[] }> {
  // Other processes may be claiming: a label that is called between the two statements would keep its call.
  await sql`lock table open_carrier_call in share row exclusive mode`.execute(tx)
  const calls = await endOpenCalls(tx)
  const { numAffectedRows } = await sql`
    update shipment_order
      set state = 'unknown', fence = fence + 1, lease_until = null, unknown_since = clock_timestamp(), run_after = clock_timestamp(),
          carrier_account = case when state <> 'queued' then carrier_account
            when answer_missing_at is null then coalesce(${currentAccount}, carrier_account)
            else coalesce(carrier_account, ${currentAccount}) end,
          answer_missing_at = clock_timestamp()
      where state in ('queued', 'purchasing', 'unknown')`.execute(tx)
  return { open: Number(numAffectedRows ?? 0n), calls }
}

/** Carriers accept voids for 30 days, and report them for twice as long. */
const VOIDABLE = sql`interval '60 days'`

/**
 * Bought labels that may have been voided after the backup. Those whose refund an administrator has refused are
 * left out: the carrier reports them as voided too, and the decision stands.
 */
export async function enqueueRestoreChecks(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into bought_before_restore (order_id)
      select id from shipment_order where state = 'purchased'
        and purchased_at > (select max(purchased_at) from shipment_order) - ${VOIDABLE}
        and void_confirmed_at is null and void_reason is distinct from ${NOT_PAID_BACK}
      on conflict do nothing`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

export type RestoreCheck = { id: number; round: number }

/** Claims due labels of this account for `leaseMs`, and postpones those of accounts that are not connected. */
export async function claimRestoreChecks(
  tx: Tx,
  accounts: CarrierAccountNames,
  others: readonly string[],
  limit: number,
  leaseMs: number,
): Promise<RestoreCheck[]> {
  const { rows } = await sql<RestoreCheck & { isInAccount: boolean }>`
    with due as materialized (
      select b.order_id from bought_before_restore b
          ${others.length === 0 ? sql`` : sql`join shipment_order o on o.id = b.order_id and ${isNotOf(others)}`}
        where b.next_check_at <= clock_timestamp()
        order by b.next_check_at limit ${limit} for update of b skip locked)
    update bought_before_restore b
      set next_check_at = clock_timestamp()
          + case when ${belongsToAccounts(accounts)} then ${leaseMs} * interval '1 millisecond' else interval '6 hours' end
      from due join shipment_order o on o.id = due.order_id
      where b.order_id = due.order_id
      returning o.id, o.round, ${belongsToAccounts(accounts)} as "isInAccount"`.execute(tx)
  return rows.filter(row => row.isInAccount)
}

export async function deleteRestoreChecks(tx: Tx, ids: number[]): Promise<void> {
  await sql`delete from bought_before_restore where order_id = any(${ids}::bigint[])`.execute(tx)
}
