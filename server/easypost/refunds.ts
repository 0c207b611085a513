/** A refund is the void of a label that was asked for through /v2. */
import type { OrderRecord } from '#server/orders/rules.ts'
import { findOrders } from '#server/orders/service.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { Refusal, refuseField } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { voidMany, voidOne } from '#server/voids/service.ts'
import type { EasypostContext } from './context.ts'
import { parseId } from './ids.ts'
import {
  insertRefunds,
  selectOrdersByTracking,
  selectRefund,
  selectRefundsById,
  selectRefundsOfOrders,
} from './refund-store.ts'
import type { RefundRecord } from './refund-store.ts'
import { selectKeysOfOrders } from './shipment-store.ts'
import { getShipment } from './shipments.ts'
import type { ShipmentWithOrder } from './shipments.ts'
import { isBought } from './wire.ts'

export type RefundWithOrder = {
  refund: RefundRecord
  order: OrderRecord
  shipmentKey: string | null
}

/** Waits some seconds for the carrier. Throws Refusal: nothing to refund, or the carrier refuses. */
export async function refundShipment(
  ctx: EasypostContext,
  caller: Caller,
  id: string,
): Promise<ShipmentWithOrder> {
  const { db } = ctx.database
  const { shipment, order } = await getShipment(db, caller.userId, id)
  if (!isBought(order))
    throw new Refusal('void_refused', 'This shipment was not bought: nothing to refund')
  const record = recordRefunds(caller.userId)
  const voided = await voidOne(ctx, caller, order.id, record).catch(asUnavailable)
  // A void that was asked for on a page.
  await ctx.database.tx(tx => record(tx, [order.id]))
  return { shipment, order: voided.order }
}

const recordRefunds =
  (userId: number) =>
  (tx: Tx, orderIds: readonly number[]): Promise<void> =>
    insertRefunds(tx, userId, orderIds)

/** The state of the label is no conflict of requests here. */
function asUnavailable(error: unknown): never {
  if (error instanceof Refusal && error.status === 409)
    throw new Refusal('void_refused', error.message)
  throw error
}

/**
 * One refund for each tracking number, in their order; of a label that cannot be voided a rejected
 * one. Throws Refusal 'tracker_unknown' before any.
 */
export async function createRefunds(
  ctx: EasypostContext,
  caller: Caller,
  codes: readonly string[],
): Promise<RefundWithOrder[]> {
  if (codes.length === 0)
    throw refuseField('tracking_codes', 'required', 'Missing required parameter: tracking_codes')
  const { db } = ctx.database
  const found = await selectOrdersByTracking(db, caller.userId, codes)
  const idByCode = new Map(found.map(({ code, orderId }) => [code, orderId]))
  const unknown = codes.find(code => !idByCode.has(code))
  if (unknown !== undefined)
    throw new Refusal('tracker_unknown', `No label of yours has the tracking number ${unknown}`)
  const ids = [...new Set(codes.map(code => idByCode.get(code)!))]
  const record = recordRefunds(caller.userId)
  await voidMany(ctx, caller, ids, record)
  // Of those not requested now the label tells: voided before, or rejected.
  await ctx.database.tx(tx => record(tx, ids))
  const refunds = await selectRefundsOfOrders(db, ids)
  return withOrders(
    db,
    ids.map(id => refunds.get(id)!),
  )
}

/** In the given order. */
async function withOrders(db: Db, refunds: readonly RefundRecord[]): Promise<RefundWithOrder[]> {
  const ids = refunds.map(({ orderId }) => orderId)
  const [orders, keys] = await Promise.all([findOrders(db, ids), selectKeysOfOrders(db, ids)])
  const byId = new Map(orders.map(order => [order.id, order]))
  return refunds.map(refund => ({
    refund,
    order: byId.get(refund.orderId)!,
    shipmentKey: keys.get(refund.orderId) ?? null,
  }))
}

/** Throws Refusal 'refund_unknown'. */
export async function getRefund(db: Db, userId: number, id: string): Promise<RefundWithOrder> {
  const key = parseId('rfnd', id)
  const refund = key === null ? undefined : await selectRefund(db, userId, key)
  if (!refund) throw new Refusal('refund_unknown', 'The requested refund could not be found')
  const [found] = await withOrders(db, [refund])
  return found!
}

export const findRefunds = async (db: Db, ids: readonly number[]): Promise<RefundWithOrder[]> =>
  withOrders(db, await selectRefundsById(db, ids))
