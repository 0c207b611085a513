import { dollars } from '#contract/money.ts'
import type { Order } from '#contract/orders.ts'
import type { StoredAddress } from '#server/carriers/port.ts'
import { labelFileName, orderStatusFor, shownReasonOf, voidStatusOf } from './rules.ts'
import type { OrderRecord } from './rules.ts'

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
    ...(order.options.signature !== 'none' && { signature: order.options.signature }),
    ...(order.options.saturday && { saturday: true }),
    reason: shownReasonOf(order),
    void: voidStatusOf(order),
    voidSubmittedAt:
      order.state === 'voiding' ? (order.voidSubmittedAt?.toISOString() ?? null) : null,
    ...(order.state === 'voiding'
      && order.refundDueAt && { refundDueAt: order.refundDueAt.toISOString() }),
    tracking: order.tracking && { ...order.tracking, at: order.tracking.at?.toISOString() ?? null },
    ...(order.scanForm && {
      scanForm: { id: String(order.scanForm.id), state: order.scanForm.state },
    }),
    trackingPage: trackingPageOf(order),
    ...(order.items && {
      items: order.items.map(({ orderId, orderItemId, sku, quantity }) => ({
        ...(orderId !== undefined && { orderId }),
        orderItemId,
        sku,
        quantity,
      })),
    }),
  }
}

/** Null without a valid label. Below the site's address. */
export const trackingPageOf = ({
  state,
  pageToken,
}: Pick<OrderRecord, 'state' | 'pageToken'>): string | null =>
  state === 'purchased' && pageToken ? `/track/${pageToken}` : null

/** Null once a void is requested. */
const pdfNameOf = (order: OrderRecord, sandbox: boolean): string | null =>
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
  ...(address.email && { [`${side}_email`]: address.email }),
})
