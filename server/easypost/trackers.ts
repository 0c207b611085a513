/** Each bought label has a tracker, whichever way it was bought. */

import { findOrdersInOrder } from '#server/orders/lists.ts'
import type { OrderRecord } from '#server/orders/rules.ts'
import { findOrder } from '#server/orders/service.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Refusal, refuseField } from '#server/platform/http/refusal.ts'
import { labelObjectId, orderIdIn } from './ids.ts'
import { selectOrdersByTracking } from './refund-store.ts'
import { selectKeysOfOrders } from './shipment-store.ts'
import { isBought } from './wire.ts'

export type LabelWithShipment = { order: OrderRecord; shipmentKey: string | null }

const trackerUnknown = (): Refusal =>
  new Refusal('tracker_unknown', 'The requested tracker could not be found')

/** In the given order. One statement at a time: `db` may be a transaction. */
export async function findLabels(
  db: Db,
  orderIds: readonly number[],
): Promise<LabelWithShipment[]> {
  const orders = await findOrdersInOrder(db, [...orderIds])
  const keys = await selectKeysOfOrders(db, orderIds)
  return orders.map(order => ({ order, shipmentKey: keys.get(order.id) ?? null }))
}

/** Throws Refusal 'tracker_unknown'. */
export async function getTracker(db: Db, userId: number, id: string): Promise<LabelWithShipment> {
  const orderId = await orderIdOfTracker(db, userId, id)
  if (orderId === null) throw trackerUnknown()
  const [found] = await findLabels(db, [orderId])
  return found!
}

/** Null for an id that is not of a bought label of the user. */
export async function orderIdOfTracker(db: Db, userId: number, id: string): Promise<number | null> {
  const orderId = orderIdIn('trk', id)
  const order = orderId === null ? undefined : await findOrder(db, orderId)
  return order && order.userId === userId && isBought(order) && labelObjectId('trk', order) === id
    ? order.id
    : null
}

/** Of those numbers that labels of the user have. */
export async function knownTrackersOf(
  db: Db,
  userId: number,
  codes: readonly string[],
): Promise<LabelWithShipment[]> {
  const found = await selectOrdersByTracking(db, userId, codes)
  return findLabels(
    db,
    found.map(({ orderId }) => orderId),
  )
}

/** Throws Refusal 'tracker_unknown' for a number that no label of the user has. */
export async function trackersOf(
  db: Db,
  userId: number,
  codes: readonly string[],
): Promise<LabelWithShipment[]> {
  if (codes.length === 0)
    throw refuseField('tracking_code', 'required', 'Missing required parameter: tracking_code')
  const found = await knownTrackersOf(db, userId, codes)
  const known = new Set(found.map(({ order }) => order.trackingNumber))
  const unknown = codes.find(code => !known.has(code))
  if (unknown !== undefined)
    throw new Refusal(
      'tracker_unknown',
      `No label of yours has the tracking number ${unknown}. Only labels bought here are followed.`,
    )
  return found
}
