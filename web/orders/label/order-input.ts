/** Maps the form to the request and the server's errors back to the form. Pure. */
import type { RequestInput } from '#contract/endpoint.ts'
import { NO_OPTIONS } from '#contract/label-options.ts'
import type { LabelOptions } from '#contract/label-options.ts'
import {
  PACKAGE_FIELD_NAMES,
  RECEIVER_FIELD_NAMES,
  SENDER_FIELD_NAMES,
} from '#contract/order-field-names.ts'
import type { FieldNames } from '#contract/order-field-names.ts'
import type { placeOrder } from '#contract/orders.ts'
import type { RowField } from '#contract/rows.ts'
import type { LabelErrors, LabelForm } from './form.ts'

type OrderInputBody = RequestInput<typeof placeOrder>['body']

const { PackageLength, PackageWidth, PackageHeight, PackageWeight, PackageDescription } =
  PACKAGE_FIELD_NAMES
/** The form's package fields. Quantity and SKU are sent as references. */
const PARCEL_NAMES = {
  PackageLength,
  PackageWidth,
  PackageHeight,
  PackageWeight,
  PackageDescription,
  quantity: PACKAGE_FIELD_NAMES.PackageReference1,
  skuNumber: PACKAGE_FIELD_NAMES.PackageReference2,
} satisfies FieldNames

const pickFields = (form: LabelForm, names: FieldNames) =>
  Object.fromEntries(
    Object.entries(names).map(([field, name]) => [name, form[field as RowField].trim()]),
  )

/** `options`: those that the service sells. */
export const orderInputFromForm = (
  userId: string,
  form: LabelForm,
  options: LabelOptions = NO_OPTIONS,
): OrderInputBody => ({
  user_id: userId,
  service_name: form.ServiceName,
  manifested: false,
  courier: 'usps',
  sender: pickFields(form, SENDER_FIELD_NAMES) as OrderInputBody['sender'],
  receiver: {
    ...pickFields(form, RECEIVER_FIELD_NAMES),
    ...(form.ToEmail.trim() !== '' && { receiver_email: form.ToEmail.trim() }),
  } as OrderInputBody['receiver'],
  package: {
    ...pickFields(form, PARCEL_NAMES),
    package_weight_unit: 'LB',
  } as OrderInputBody['package'],
  ...(options.signature !== 'none' && { signature: options.signature }),
  ...(options.saturday && { saturday: true }),
})

// The server's errors name quantity and SKU by these names, whichever field they were sent in.
const VALIDATED_NAMES: FieldNames = {
  ServiceName: 'service_name',
  quantity: PACKAGE_FIELD_NAMES.quantity,
  skuNumber: PACKAGE_FIELD_NAMES.skuNumber,
}
const FIELD_BY_WIRE_NAME = new Map<string, keyof LabelErrors>([
  ...[SENDER_FIELD_NAMES, RECEIVER_FIELD_NAMES, PARCEL_NAMES, VALIDATED_NAMES].flatMap(names =>
    Object.entries(names).map(([field, name]) => [name, field as RowField] as const),
  ),
  ['receiver_email', 'ToEmail'],
])

/** `others` are errors without a field in the form. */
export function formErrorsFrom(wire: Record<string, string>): {
  fields: LabelErrors
  others: string[]
} {
  const fields: LabelErrors = {}
  const others: string[] = []
  for (const [name, text] of Object.entries(wire)) {
    const field = FIELD_BY_WIRE_NAME.get(name)
    if (field) fields[field] = text
    else others.push(text)
  }
  return { fields, others }
}
