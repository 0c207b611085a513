// What stands on a label, whoever draws it.

/** A side of the label. Empty or absent lines are left out; the ZIP is 5 digits, or 5-4. */
export type LabelAddress = {
  name: string
  company?: string | null
  phone?: string | null
  street1: string
  street2?: string | null
  city: string
  state: string
  zip: string
}

/**
 * One label. Texts are as the customer wrote them; the writer makes them printable (latin.ts). Weight in pounds, measures in
 * inches. `position` counts from 1 in the order of the file, so that a packer can match a stack of labels with his table.
 */
export type LabelData = {
  trackingNumber: string
  serviceName: string
  from: LabelAddress
  to: LabelAddress
  weightLb: number
  lengthIn: number
  widthIn: number
  heightIn: number
  description?: string | null
  quantity?: number | null
  sku?: string | null
  orderId?: string | null
  position?: { index: number; total: number } | null
}
