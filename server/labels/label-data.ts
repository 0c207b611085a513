// The data printed on a label.
import type { LabelOptions } from '#contract/label-options.ts'

/** Empty lines are left out; the ZIP has 5 digits, or 5-4. */
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
 * Texts as the customer wrote them; drawing makes them printable. Pounds and inches. `position`
 * counts from 1 in file order, so that packers can match labels and rows.
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
  options?: LabelOptions
}
