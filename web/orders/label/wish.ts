/** From the form to the call and back: which field stands where on the wire (specification, 7). Pure. */
import type { Wish } from '#contract/call.ts'
import { PACKAGE_NAMES, RECEIVER_NAMES, SENDER_NAMES } from '#contract/order-names.ts'
import type { Names } from '#contract/order-names.ts'
import type { placeOrder } from '#contract/orders.ts'
import type { RowErrors } from '#contract/row-rules.ts'
import type { RowField } from '#contract/rows.ts'
import type { LabelForm } from './form.ts'

type Body = Wish<typeof placeOrder>['body']

const { PackageLength, PackageWidth, PackageHeight, PackageWeight, PackageDescription } =
  PACKAGE_NAMES
/** Of the parcel the form has these; quantity and SKU are its references (specification, 3). */
const PARCEL_NAMES = {
  PackageLength,
  PackageWidth,
  PackageHeight,
  PackageWeight,
  PackageDescription,
  quantity: PACKAGE_NAMES.PackageReference1,
  skuNumber: PACKAGE_NAMES.PackageReference2,
} satisfies Names

const take = (form: LabelForm, names: Names) =>
  Object.fromEntries(
    Object.entries(names).map(([field, name]) => [name, form[field as RowField].trim()]),
  )

/** The call's body; Require Signature and Saturday Delivery are not part of it (specification, 2). */
export const wishOf = (userId: string, form: LabelForm): Body => ({
  user_id: userId,
  service_name: form.ServiceName,
  manifested: false,
  courier: 'usps',
  sender: take(form, SENDER_NAMES) as Body['sender'],
  receiver: take(form, RECEIVER_NAMES) as Body['receiver'],
  package: { ...take(form, PARCEL_NAMES), package_weight_unit: 'LB' } as Body['package'],
})

// The server judges quantity and SKU under their own names, whichever field of the wire they came in.
const JUDGED: Names = {
  ServiceName: 'service_name',
  quantity: PACKAGE_NAMES.quantity,
  skuNumber: PACKAGE_NAMES.skuNumber,
}
const FIELD_OF = new Map(
  [SENDER_NAMES, RECEIVER_NAMES, PARCEL_NAMES, JUDGED].flatMap(names =>
    Object.entries(names).map(([field, name]) => [name, field as RowField] as const),
  ),
)

/** The server's errors at the fields of the form; `others` are those that have no field here. */
export function errorsFrom(wire: Record<string, string>): { fields: RowErrors; others: string[] } {
  const fields: RowErrors = {}
  const others: string[] = []
  for (const [name, text] of Object.entries(wire)) {
    const field = FIELD_OF.get(name)
    if (field) fields[field] = text
    else others.push(text)
  }
  return { fields, others }
}
