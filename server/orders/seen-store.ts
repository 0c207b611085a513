import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/**
 * A live label of an order. `reference`: see `orderKeyOf`; `itemRef`: null for the whole order.
 * `queuedAt`: when it was ordered or retried.
 */
export type LabelOfOrder = {
  reference: string
  itemRef: string | null
  id: number
  batchId: number | null
  trackingNumber: string | null
  queuedAt: Date
  at: Date
}

/** How long ago a label was ordered at most. */
export const SEEN_FOR = sql.raw("interval '90 days'")
/** Requested voids are left out: such a label can no longer be printed. */
export const LIVE_STATES = sql.raw("('queued', 'purchasing', 'unknown', 'purchased')")
/** Newest labels of one order that are looked at. */
const LABELS_OF_ORDER = 1_000

/**
 * The user's labels of these orders that are bought, queued or being bought, of the last 90 days,
 * oldest first, none of the batch `exceptBatchId`. A combined row is one label for each of its items.
 */
export async function selectLabelsOfOrders(
  db: Db,
  userId: number,
  references: string[],
  exceptBatchId: number | null,
): Promise<LabelOfOrder[]> {
  const isOther =
    exceptBatchId === null ? sql`true` : sql`o.batch_id is distinct from ${exceptBatchId}::bigint`
  const { rows } = await sql<LabelOfOrder>`
    select k.reference, f.item_ref as "itemRef", f.id, f.batch_id as "batchId", f.tracking_number as "trackingNumber",
        f.queued_at as "queuedAt", f.at
      from unnest(${references}::text[]) as k (reference)
      cross join lateral (
        (select o.id, o.batch_id, o.item_ref, o.tracking_number, o.queued_at, coalesce(o.purchased_at, o.created_at) as at
          from order_list_entry e join shipment_order o on o.id = e.order_id
          where e.user_id = ${userId} and e.reference is not null and replace(e.reference, '#', '') = k.reference
            and e.placed_at > now() - ${SEEN_FOR} and o.items is null and o.state in ${LIVE_STATES} and ${isOther}
          order by o.id desc limit ${LABELS_OF_ORDER})
        union all
        (select o.id, o.batch_id, i.item_ref, o.tracking_number, o.queued_at, coalesce(o.purchased_at, o.created_at) as at
          from order_item i join shipment_order o on o.id = i.order_id
          where i.user_id = ${userId} and i.reference = k.reference
            and i.placed_at > now() - ${SEEN_FOR} and o.state in ${LIVE_STATES} and ${isOther}
          order by o.id desc limit ${LABELS_OF_ORDER})) f
      order by f.id`.execute(db)
  return rows
}
