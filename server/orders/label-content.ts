import type { LabelData } from '#server/labels/label-data.ts'
import type { BatchRow } from './rules.ts'

/** `position`: '3/7' on the label, so that a packer can match the stack with the table. */
export function labelContentFor(
  order: Omit<BatchRow, 'rowNo'>,
  position?: { index: number; total: number },
): LabelData {
  const { package: parcel } = order
  const quantity = Number.parseInt(parcel.quantity, 10)
  return {
    trackingNumber: order.trackingNumber!,
    serviceName: order.serviceName,
    from: order.sender,
    to: order.receiver,
    weightLb: parcel.weight,
    lengthIn: parcel.length,
    widthIn: parcel.width,
    heightIn: parcel.height,
    description: parcel.description,
    quantity: quantity > 0 ? quantity : null,
    sku: parcel.sku,
    orderId: order.orderRef,
    position: position ?? null,
    options: order.options,
  }
}
