import { sql } from 'kysely'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { StoredAddress } from '#server/carriers/port.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'

/** A label with its public page. `expectedDay`: yyyy-mm-dd. */
export type PageParcel = {
  orderId: number
  serviceUid: string
  serviceName: string
  trackingNumber: string
  isVoided: boolean
  labelAt: Date
  status: TrackingStatus
  expectedDay: string | null
  sender: StoredAddress
  receiver: StoredAddress
  sellerName: string | null
  contact: string | null
}

export async function selectPageParcel(db: Db, token: string): Promise<PageParcel | undefined> {
  const { rows } = await sql<PageParcel>`
    select o.id as "orderId", o.service_uid as "serviceUid", o.service_name as "serviceName", o.tracking_number as "trackingNumber",
        o.state in ('voiding', 'voided') as "isVoided",
        coalesce(o.purchased_at, o.created_at) as "labelAt", p.status, p.expected_day as "expectedDay", o.sender, o.receiver,
        s.seller_name as "sellerName", s.contact
      from parcel_tracking p
        join shipment_order o on o.id = p.order_id
        left join parcel_page_setting s on s.user_id = o.user_id
      where p.page_token = ${token} and o.tracking_number is not null`.execute(db)
  return rows[0]
}

export type PageSettings = { sellerName: string; contact: string; mailsReceivers: boolean }

export async function selectPageSettings(
  db: Db,
  userId: number,
): Promise<PageSettings | undefined> {
  return db
    .selectFrom('parcel_page_setting')
    .select(['seller_name as sellerName', 'contact', 'mails_receivers as mailsReceivers'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

export async function upsertPageSettings(
  tx: Tx,
  userId: number,
  { sellerName, contact, mailsReceivers }: PageSettings,
): Promise<void> {
  const values = { seller_name: sellerName, contact, mails_receivers: mailsReceivers }
  await tx
    .insertInto('parcel_page_setting')
    .values({ user_id: userId, ...values })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet(values))
    .execute()
}

export async function deletePageSettings(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('parcel_page_setting').where('user_id', '=', userId).execute()
}
