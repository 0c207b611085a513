/** From the form to the call and back: which field stands where on the wire (specification, 7). Pure. */
import type { Wish } from '#contract/call.ts'
import type { placeOrder } from '#contract/orders.ts'
import type { RowErrors } from '#contract/row-rules.ts'
import type { RowField } from '#contract/rows.ts'
import type { LabelForm } from './form.ts'

type Body = Wish<typeof placeOrder>['body']
type Part<K extends 'sender' | 'receiver' | 'package'> = [RowField, keyof Body[K] & string][]

const SENDER: Part<'sender'> = [
  ['FromSenderName', 'sender_name'], ['FromPhone', 'sender_phone'], ['FromCompany', 'sender_company'], ['FromStreet1', 'sender_address1'],
  ['FromStreet2', 'sender_address2'], ['FromCity', 'sender_city'], ['FromStateProvince', 'sender_state_province'],
  ['FromZipPostal', 'sender_zip_postal'], ['FromCountry', 'sender_country'],
]
const RECEIVER: Part<'receiver'> = [
  ['ToRecipientName', 'receiver_name'], ['ToPhone', 'receiver_phone'], ['ToCompany', 'receiver_company'],
  ['ToStreet1', 'receiver_address1'], ['ToStreet2', 'receiver_address2'], ['ToCity', 'receiver_city'],
  ['ToStateProvince', 'receiver_state_province'], ['ToZipPostal', 'receiver_zip_postal'], ['ToCountry', 'receiver_country'],
]
const PACKAGE: Part<'package'> = [
  ['PackageLength', 'package_length'], ['PackageWidth', 'package_width'], ['PackageHeight', 'package_height'],
  ['PackageWeight', 'package_weight'], ['PackageDescription', 'package_description'], ['quantity', 'package_reference1'],
  ['skuNumber', 'package_reference2'],
]

const take = (form: LabelForm, part: [RowField, string][]) => Object.fromEntries(part.map(([field, name]) => [name, form[field].trim()]))

/** The call's body; Require Signature and Saturday Delivery are not part of it (specification, 2). */
export const wishOf = (userId: string, form: LabelForm): Body => ({
  user_id: userId, service_name: form.ServiceName, manifested: false, courier: 'usps',
  sender: take(form, SENDER) as Body['sender'],
  receiver: take(form, RECEIVER) as Body['receiver'],
  package: { ...take(form, PACKAGE), package_weight_unit: 'LB' } as Body['package'],
})

// The server judges quantity and SKU under their own names, whichever field of the wire they came in.
const FIELD_OF = new Map<string, RowField>([
  ...[...SENDER, ...RECEIVER, ...PACKAGE].map(([field, name]) => [name, field] as const),
  ['service_name', 'ServiceName'], ['quantity', 'quantity'], ['sku_number', 'skuNumber'],
])

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
