import { sql } from 'kysely'
import { belongsToAccounts, labelAccount } from '#server/carriers/service.ts'
import type { CarrierAccountNames } from '#server/carriers/service.ts'
import type { OrderState } from '#server/orders/rules.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'

/**
 * `since`: when the outcome became unknown, or the void was submitted or requested. `account`: of
 * the label, if it is not connected.
 */
export type PendingLabel = {
  state: OrderState
  since: Date | null
  waitedMs: number
  isSubmitted: boolean
  isConfirmed: boolean
  account: string | null
}

export async function findPendingLabel(
  db: Db,
  accounts: CarrierAccountNames,
  orderId: number,
): Promise<PendingLabel | undefined> {
  const { rows } = await sql<PendingLabel>`
    select state, since, coalesce(extract(epoch from clock_timestamp() - since) * 1000, 0)::float8 as "waitedMs",
        "isSubmitted", "isConfirmed", account
      from (
        select o.state, o.void_submitted_at is not null as "isSubmitted",
            o.state = 'voiding' and o.void_confirmed_at is not null as "isConfirmed",
            case o.state when 'unknown' then o.unknown_since
              when 'voiding' then coalesce(o.void_submitted_at, o.void_requested_at) end as since,
            case when not ${belongsToAccounts(accounts)} then ${labelAccount} end as account
          from shipment_order o where o.id = ${orderId}) label`.execute(db)
  return rows[0]
}

/** Whether a call of this round was answered as sold, even if too late to be settled. */
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

/** Against other manual resolutions, until the transaction ends. */
export async function lockTrackingNumber(tx: Tx, trackingNumber: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`tracking:${trackingNumber}`}, 0))`.execute(
    tx,
  )
}
