import { sql } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { UserRef } from '#server/accounts/rules.ts'
import { CHARGE_SUBJECTS } from '#server/ledger/rules.ts'
import type { Db } from '#server/platform/database/database.ts'
import { isScanDecided } from '#server/voids/service.ts'

const isDeletedWithoutMoney = sql<boolean>`exists (
  select 1 from app_user u join account a on a.owner_id = u.id and a.kind = 'available' join balance b on b.account_id = a.id
    where u.id = o.user_id and u.deleted_at is not null and b.credits <= b.debits)`

/**
 * Condition on `parcel_tracking p`: found in the last 30 days, not charged back and not refunded by
 * decision, or its refund is stopped. A deleted user's while the balance can pay.
 */
export const isOpenScan = sql<boolean>`p.scanned_after_void_at is not null and exists (
    select 1 from shipment_order o where o.id = p.order_id
      and (o.state = 'voided' and p.scanned_after_void_at > clock_timestamp() - interval '30 days' and not (${isScanDecided})
          and not ${isDeletedWithoutMoney}
        or o.state = 'voiding' and o.void_confirmed_at is not null))
  and not exists (select 1 from owed_charge c where c.subject = ${sql.lit(CHARGE_SUBJECTS.voidedScan)} || p.order_id)`

export type VoidedScanRow = {
  orderId: number
  user: UserRef
  trackingNumber: string
  status: TrackingStatus
  price: Cents
  /** Null: the refund was stopped. */
  refundedAt: Date | null
  scannedAt: Date
}

/** Newest first. */
export async function selectVoidedScans(
  db: Db,
  offset: number,
  limit: number,
): Promise<{ rows: VoidedScanRow[]; total: number }> {
  const { rows } = await sql<VoidedScanRow>`
    select o.id as "orderId", json_build_object('id', u.id, 'name', u.name, 'email', u.email) as user,
        o.tracking_number as "trackingNumber", p.status,
        o.price_cents - coalesce((select c.cents - c.waived_cents - c.returned_cents from owed_charge c
          where c.subject = ${sql.lit(CHARGE_SUBJECTS.voidCredit)} || o.id), 0) as price, o.voided_at as "refundedAt",
        p.scanned_after_void_at as "scannedAt"
      from parcel_tracking p join shipment_order o on o.id = p.order_id join app_user u on u.id = o.user_id
      where ${isOpenScan}
      order by p.scanned_after_void_at desc, o.id desc limit ${limit} offset ${offset}`.execute(db)
  const {
    rows: [counted],
  } = await sql<{
    total: number
  }>`select count(*) as total from parcel_tracking p where ${isOpenScan}`.execute(db)
  return { rows: rows.map(row => ({ ...row, price: cents(row.price) })), total: counted!.total }
}
