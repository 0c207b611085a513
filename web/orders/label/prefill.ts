/**
 * Order Label filled in from a label that was ordered before. The URL has only the id of that label
 * (`/main/order-label?again=81`); the page loads the addresses itself.
 */

import { isId } from '#contract/endpoint.ts'
import type { LabelDetails } from '#contract/order-details.ts'
import {
  PACKAGE_FIELD_NAMES,
  RECEIVER_FIELD_NAMES,
  SENDER_FIELD_NAMES,
} from '#contract/order-field-names.ts'
import { MEASURES } from '#contract/rows.ts'
import type { RowField } from '#contract/rows.ts'
import { newLabelForm } from './form.ts'
import type { LabelForm } from './form.ts'
import { tickedFrom } from './label-options.ts'

/** `again`: the same label once more. `return`: from its receiver back to its sender. */
const PREFILL_KINDS = ['again', 'return'] as const
export type PrefillKind = (typeof PREFILL_KINDS)[number]
type Prefill = { kind: PrefillKind; orderId: string }

export const prefillPath = ({ kind, orderId }: Prefill): string =>
  `/main/order-label?${kind}=${orderId}`

/** Null without a valid id, as in a link that was cut off. */
export function prefillFrom(params: URLSearchParams): Prefill | null {
  for (const kind of PREFILL_KINDS) {
    const orderId = params.get(kind)
    if (orderId !== null && isId(orderId)) return { kind, orderId }
  }
  return null
}

/** The whole form; what the label does not have is as in a new form. */
export function prefilledForm(
  kind: PrefillKind,
  { order, serviceUid }: Pick<LabelDetails, 'order' | 'serviceUid'>,
): LabelForm {
  const { sender, receiver, package: parcel } = order
  const from = addressPart(sender, 'sender_')
  const to = addressPart(receiver, 'receiver_')
  const [first, second] = kind === 'return' ? [to, from] : [from, to]
  const text = (name: string): string => String(parcel[name] ?? '')
  const measures = Object.fromEntries(
    MEASURES.map(field => [field, text(PACKAGE_FIELD_NAMES[field]!)]),
  )
  return {
    ...newLabelForm(),
    ...addressFields(SENDER_FIELD_NAMES, 'sender_', first),
    ...addressFields(RECEIVER_FIELD_NAMES, 'receiver_', second),
    ToEmail: second['email'] ?? '',
    ...measures,
    PackageDescription: text('package_description'),
    quantity: text('package_reference1'),
    skuNumber: text('package_reference2'),
    ServiceName: serviceUid,
    ticked: tickedFrom(order),
  }
}

/** By names without their side: `{ name: 'June Rivera', city: 'Fresno' }`. */
const addressPart = (side: Record<string, string>, prefix: string): Record<string, string> =>
  Object.fromEntries(Object.entries(side).map(([name, value]) => [name.replace(prefix, ''), value]))

const addressFields = (
  names: Partial<Record<RowField, string>>,
  prefix: string,
  part: Record<string, string>,
): Partial<LabelForm> =>
  Object.fromEntries(
    Object.entries(names).map(([field, name]) => [field, part[name.replace(prefix, '')] ?? '']),
  )
