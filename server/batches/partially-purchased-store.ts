import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** Ids as the customer's file has them. `bought`: the label is good. */
export type PartiallyPurchasedRow = {
  batchId: number
  row: number
  orderId: string
  orderItemId: string | null
  bought: boolean
}

/**
 * All rows of orders, by the order id of the file, of which some rows are not bought or are voided.
 */
export async function selectPartiallyPurchased(
  db: Db,
  batchIds: number[],
): Promise<PartiallyPurchasedRow[]> {
  if (batchIds.length === 0) return []
  const { rows } = await sql<PartiallyPurchasedRow>`
    select o.batch_id as "batchId", o.row_no as "row", o.order_ref as "orderId", o.item_ref as "orderItemId",
        o.state in ('purchased', 'voiding') as bought
      from shipment_order o
      where o.batch_id = any(${batchIds}::bigint[]) and (o.batch_id, o.order_ref) in (
        select batch_id, order_ref from shipment_order
          where batch_id = any(${batchIds}::bigint[]) and order_ref is not null
            and state in ('queued', 'purchasing', 'unknown', 'failed', 'voided'))`.execute(db)
  return rows
}
