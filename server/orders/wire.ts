import type * as z from 'zod'
import { dollars } from '#contract/money.ts'
import {
  toOrderErrors,
  PACKAGE_FIELD_NAMES,
  RECEIVER_FIELD_NAMES,
  toRowFields,
  SENDER_FIELD_NAMES,
} from '#contract/order-field-names.ts'
import type { Order, placeOrder } from '#contract/orders.ts'
import { toBulkRow, tidyRow } from '#contract/rows.ts'
import type { StoredAddress } from '#server/platform/database/tables.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { shownReasonOf, voidStatusOf } from '#server/voids/rules.ts'
import { labelFileName, orderStatusFor } from './rules.ts'
import type { OrderInput } from './rules.ts'
import type { OrderRecord } from './store.ts'

type PlaceOrderBody = z.output<NonNullable<typeof placeOrder.body>>

/** The call's body as a wish: the same fields as a row of a bulk order, so that the same rules judge it. */
export function orderInputFrom(body: PlaceOrderBody): OrderInput {
  const { sender, receiver, package: parcel } = body
  const row = toBulkRow({
    ...toRowFields(sender, SENDER_FIELD_NAMES),
    ...toRowFields(receiver, RECEIVER_FIELD_NAMES),
    ...toRowFields(parcel, PACKAGE_FIELD_NAMES),
    quantity: parcel.quantity ?? parcel.package_reference1,
    skuNumber: parcel.sku_number || parcel.package_reference2,
    ServiceName: body.service_name,
  })
  return { row: tidyRow(row), manifested: body.manifested ?? false }
}

/** A refused wish names its fields as the call does. */
export function rethrowWithCallFields(error: unknown): never {
  if (error instanceof Refusal && error.fields)
    throw new Refusal(error.code, error.message, toOrderErrors(error.fields))
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
    status: orderStatusFor(order.state),
    batch_id: order.batchId === null ? null : String(order.batchId),
    row: order.rowNo,
    price: dollars(order.price),
    reason: shownReasonOf(order),
    void: voidStatusOf(order),
    voidSubmittedAt:
      order.state === 'voiding' ? (order.voidSubmittedAt?.toISOString() ?? null) : null,
    tracking: order.tracking && { ...order.tracking, at: order.tracking.at?.toISOString() ?? null },
  }
}

/** The name under which an order's label can be downloaded; null while there is none, and once a void was asked for. */
export const pdfNameOf = (order: OrderRecord, sandbox: boolean): string | null =>
  order.state === 'purchased' ? labelFileName(order.id, order.pdfKey, sandbox) : null

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
