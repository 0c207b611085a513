import { sql } from 'kysely'
import { belongsToAccounts } from '#server/carriers/service.ts'
import type { CarrierAccountNames } from '#server/carriers/service.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'

export async function insertMessage(tx: Tx, account: string): Promise<void> {
  await sql`insert into carrier_message as m (account, last_at, messages) values (${account}, clock_timestamp(), 1)
    on conflict (account) do update set last_at = excluded.last_at, messages = m.messages + 1`.execute(
    tx,
  )
}

/** Whether one came within the last three days. */
export async function doMessagesArrive(db: Db, account: string): Promise<boolean> {
  const { rows } = await sql`select 1 from carrier_message
    where account = ${account} and last_at > clock_timestamp() - interval '3 days'`.execute(db)
  return rows.length > 0
}

/**
 * A parcel is looked up once a minute at most, however many messages come, also while the carrier has not answered the last look-up.
 * One that is followed no more stays so. False for a number that is not ours.
 */
export async function lookUpSoon(
  tx: Tx,
  accounts: CarrierAccountNames,
  trackingNumber: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with soon as materialized (
      select p.order_id, greatest(clock_timestamp(), p.last_checked_at + interval '1 minute',
            case when p.attempt > 0 then clock_timestamp() + interval '1 minute' end) as at
        from parcel_tracking p join shipment_order o on o.id = p.order_id
        where reverse(o.tracking_number) = reverse(${trackingNumber}) and o.tracking_number is not null and ${belongsToAccounts(accounts)}
        order by p.order_id for update of p)
    update parcel_tracking p
      set told_at = clock_timestamp(),
          next_check_at = case when p.next_check_at is not null then least(p.next_check_at, soon.at) end,
          void_check_at = case when p.void_check_at is not null then least(p.void_check_at, soon.at) end
      from soon where p.order_id = soon.order_id`.execute(tx)
  return (numAffectedRows ?? 0n) > 0n
}
