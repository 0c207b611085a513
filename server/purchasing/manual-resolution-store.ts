import { sql } from 'kysely'
import { labelAccount, belongsToAccounts } from '#server/carriers/account-store.ts'
import type { CarrierAccountNames } from '#server/carriers/account-store.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { OrderState } from '#server/platform/database/tables.ts'

/**
 * How long a label waits for its carrier's word: `since` its outcome is unknown or, of one that is being voided, since the void was asked
 * for or taken. `account`: of another carrier account that is not open; null where it is this one.
 */
export type PendingLabel = {
  state: OrderState
  since: Date | null
  waitedMs: number
  isSubmitted: boolean
  account: string | null
}

export async function findPendingLabel(
  db: Db,
  accounts: CarrierAccountNames,
  orderId: number,
): Promise<PendingLabel | undefined> {
  const { rows } = await sql<PendingLabel>`
    select state, since, coalesce(extract(epoch from clock_timestamp() - since) * 1000, 0)::float8 as "waitedMs", "isSubmitted", account
      from (
        select o.state, o.void_submitted_at is not null as "isSubmitted",
            case o.state when 'unknown' then o.unknown_since
              when 'voiding' then coalesce(o.void_submitted_at, o.void_requested_at) end as since,
            case when not ${belongsToAccounts(accounts)} then ${labelAccount} end as account
          from shipment_order o where o.id = ${orderId}) label`.execute(db)
  return rows[0]
}

/** Whether the carrier has said of any try of this round that it sold the label: too late to settle it, and in time to be read. */
export async function hasPurchaseAnswer(db: Db, orderId: number, round: number): Promise<boolean> {
  const found = await db
    .selectFrom('carrier_call')
    .select('id')
    .where('order_id', '=', orderId)
    .where('round', '=', round)
    .where('outcome', '=', 'bought')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** The label that has this number already, if any. Until the transaction ends nobody else gives it to one by hand. */
export async function findLabelByTrackingNumber(
  tx: Tx,
  trackingNumber: string,
): Promise<number | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`tracking:${trackingNumber}`}, 0))`.execute(
    tx,
  )
  const { rows } = await sql<{ id: number }>`
    select id from shipment_order
      where tracking_number is not null and reverse(tracking_number) = reverse(${trackingNumber}) limit 1`.execute(
    tx,
  )
  return rows[0]?.id ?? null
}
