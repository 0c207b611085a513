import type * as z from 'zod'
import { dollars } from '#contract/money.ts'
import {
  errorsInCall,
  PACKAGE_NAMES,
  RECEIVER_NAMES,
  rowPart,
  SENDER_NAMES,
} from '#contract/order-names.ts'
import type { Order, placeOrder } from '#contract/orders.ts'
import { rowFrom, tidyRow } from '#contract/rows.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { StoredAddress } from '#server/platform/tables.ts'
import { labelName, outward } from './rules.ts'
import type { Wish } from './rules.ts'
import type { OrderRecord } from './store.ts'
import { reasonOf, voidOf } from './void-rules.ts'

type PlaceBody = z.output<NonNullable<typeof placeOrder.body>>

/** The call's body as a wish: the same fields as a row of a bulk order, so that the same rules judge it. */
export function wishOf(body: PlaceBody): Wish {
  const { sender, receiver, package: parcel } = body
  const row = rowFrom({
    ...rowPart(sender, SENDER_NAMES),
    ...rowPart(receiver, RECEIVER_NAMES),
    ...rowPart(parcel, PACKAGE_NAMES),
    quantity: parcel.quantity ?? parcel.package_reference1,
    skuNumber: parcel.sku_number || parcel.package_reference2,
    ServiceName: body.service_name,
  })
  return { row: tidyRow(row), manifested: body.manifested ?? false }
}

/** A refused wish names its fields as the call does. */
export function refusalWire(error: unknown): never {
  if (error instanceof Refusal && error.fields)
    throw new Refusal(error.code, error.message, errorsInCall(error.fields))
  throw error
}

/** An order as the wire knows it (specification, 3). */
export function orderWire(order: OrderRecord, sandbox: boolean): Order {
  const { package: parcel } = order
  return {
    _id: String(order.id),
    user_id: String(order.userId),
    service_name: order.serviceName,
    courier: 'usps',
    manifested: order.manifested,
    sender: addressWire('sender', order.sender),
    receiver: addressWire('receiver', order.receiver),
    package: {
      package_length: parcel.length,
      package_width: parcel.width,
      package_height: parcel.height,
      package_weight: parcel.weight,
      package_weight_unit: 'LB',
      package_description: parcel.description,
      package_reference1: parcel.quantity,
      package_reference2: parcel.sku,
      ...(order.batchId !== null && {
        order_item_id: order.itemRef ?? '',
        quantity: parcel.quantity,
        sku_number: parcel.sku,
      }),
    },
    tracking_number: order.trackingNumber,
    pdfName: pdfNameOf(order, sandbox),
    createdAt: order.createdAt.toISOString(),
    status: outward(order.state),
    batch_id: order.batchId === null ? null : String(order.batchId),
    row: order.rowNo,
    price: dollars(order.price),
    reason: reasonOf(order),
    void: voidOf(order),
    voidSubmittedAt:
      order.state === 'voiding' ? (order.voidSubmittedAt?.toISOString() ?? null) : null,
    tracking: order.tracking && { ...order.tracking, at: order.tracking.at?.toISOString() ?? null },
  }
}

/** The name under which an order's label can be downloaded; null while there is none, and once a void was asked for. */
export const pdfNameOf = (order: OrderRecord, sandbox: boolean): string | null =>
  order.state === 'purchased' ? labelName(order.id, order.pdfKey, sandbox) : null

const addressWire = (
  side: 'sender' | 'receiver',
  address: StoredAddress,
): Record<string, string> => ({
  [`${side}_name`]: address.name,
  [`${side}_phone`]: address.phone,
  [`${side}_company`]: address.company,
  [`${side}_address1`]: address.street1,
  [`${side}_address2`]: address.street2,
  [`${side}_city`]: address.city,
  [`${side}_state_province`]: address.state,
  [`${side}_zip_postal`]: address.zip,
  [`${side}_country`]: address.country,
})
