import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** Ids as the customer's file has them. `bought`: the label is good. */
export type PartiallyPurchasedRow = {
  batchId: number
  row: number
  orderId: string
  orderItemId: string | null
  items?: { orderId: string | null; orderItemId: string | null }[] | null
  bought: boolean
}

/**
 * All rows of orders, by the order id of the file, of which some rows are not bought or are voided. For ended bulk orders: no row waits
 * to be bought. Failed, unknown and voided rows are found by their indexes; others are read only if there are some of these.
 */
export async function selectPartiallyPurchased(
  db: Db,
  batchIds: number[],
): Promise<PartiallyPurchasedRow[]> {
  if (batchIds.length === 0) return []
  const { rows } = await sql<PartiallyPurchasedRow>`
    with unbought as materialized (
      select distinct b.id as batch_id, r.ref
        from unnest(${batchIds}::bigint[]) as b (id)
        cross join lateral (
          select order_ref, items from shipment_order where batch_id = b.id and state in ('failed', 'unknown')
          union all
          select order_ref, items from shipment_order where batch_id = b.id and state = 'voided') o
        cross join lateral (
          select o.order_ref as ref where o.items is null
          union all
          select coalesce(i ->> 'orderId', o.order_ref) from jsonb_array_elements(o.items) i) r
        where r.ref is not null)
    select o.batch_id as "batchId", o.row_no as "row", o.order_ref as "orderId", o.item_ref as "orderItemId", null::jsonb as items,
        o.state in ('purchased', 'voiding') as bought
      from shipment_order o
      where o.batch_id = any(${batchIds}::bigint[]) and o.items is null
        and (o.batch_id, o.order_ref) in (select batch_id, ref from unbought)
    union all
    select o.batch_id, o.row_no, o.order_ref, o.item_ref, r.items, o.state in ('purchased', 'voiding')
      from (select distinct batch_id from unbought) b
      join shipment_order o on o.batch_id = b.batch_id and o.items is not null
      cross join lateral (
        select jsonb_agg(jsonb_build_object(
              'orderId', coalesce(i ->> 'orderId', o.order_ref), 'orderItemId', i ->> 'orderItemId')) as items,
            bool_or((o.batch_id, coalesce(i ->> 'orderId', o.order_ref)) in (select batch_id, ref from unbought)) as partial
          from jsonb_array_elements(o.items) i) r
      where r.partial`.execute(db)
  return rows
}
