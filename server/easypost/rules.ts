/** Addresses, parcels and shipments as programs send them, as rows of our own. Pure. */

import type { AddressInput, ParcelInput, ShipmentInput } from '#contract/easypost-bodies.ts'
import type { AddressVerifications } from '#contract/easypost-objects.ts'
import type { LabelOptions, Signature } from '#contract/label-options.ts'
import { receiverEmailOf } from '#contract/receiver-email.ts'
import type { Fault } from '#contract/refusals.ts'
import { parseMeasure } from '#contract/row-rules.ts'
import { isUsps, tidyRow, toBulkRow } from '#contract/rows.ts'
import type { RowField, SubmittedRow } from '#contract/rows.ts'
import { shortenText, tidyText } from '#contract/text.ts'
import { CARRIER_NAME } from '#server/carriers/easypost/request.ts'
import { orderRowFaults } from '#server/orders/rules.ts'
import { refuseFields } from '#server/platform/http/refusal.ts'

const ADDRESS_FIELDS = [
  'name',
  'company',
  'street1',
  'street2',
  'city',
  'state',
  'zip',
  'country',
  'phone',
  'email',
] as const
export type AddressField = (typeof ADDRESS_FIELDS)[number]

/** Tidy, null where nothing was sent. */
export type AddressText = Record<AddressField, string | null>

/** An address as a shipment keeps it. `key`: a UUID; `at`: when it was made. */
export type AddressCopy = {
  key: string
  content: AddressText
  verifications: AddressVerifications | null
  at: string
}

/** Inches and ounces. */
export type ParcelMeasures = {
  length: number | null
  width: number | null
  height: number | null
  weight: number
}
export type ParcelCopy = ParcelMeasures & { key: string; at: string }

/** `ordered`: it has an order, whose state tells; `refused`: none could be placed. */
export type BatchMemberState = 'created' | 'creation_failed' | 'queued' | 'ordered' | 'refused'

// The database stores neither zero characters nor unpaired surrogates.
const UNSTORABLE = /[\p{Cc}\p{Cs}]/gu
const storable = (text: string): string => text.replace(UNSTORABLE, ' ')

/** Tidied; null where nothing is left. */
export const textOrNull = (text: string | number | null | undefined): string | null =>
  tidyText(storable(String(text ?? ''))) || null

/** As they are kept and answered. */
export const storableOptions = (options: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]: [string, unknown]) => [
      storable(name),
      typeof value === 'string'
        ? storable(value)
        : typeof value === 'object' && value !== null
          ? storableOptions(value)
          : value,
    ]),
  )

export const addressText = (input: AddressInput): AddressText =>
  Object.fromEntries(ADDRESS_FIELDS.map(field => [field, textOrNull(input[field])])) as AddressText

export type Verification = 'none' | 'told' | 'strict'

type VerifyFields = Pick<AddressInput, 'verify' | 'verify_strict'>

const isVerifyAsked = (verify: unknown): boolean =>
  Array.isArray(verify)
    ? verify.some(isVerifyAsked)
    : !['', 'false', 'null', 'undefined'].includes(String(verify))

/** The strictest that one of them asks for. */
export function verificationOf(...all: readonly (VerifyFields | null | undefined)[]): Verification {
  if (all.some(one => isVerifyAsked(one?.verify_strict))) return 'strict'
  return all.some(one => isVerifyAsked(one?.verify)) ? 'told' : 'none'
}

const OUNCES_A_POUND = 16

/** Exact: a division by 16 changes the exponent alone. */
export const poundsOf = (ounces: number): number => ounces / OUNCES_A_POUND

const required = (text: string): Fault => ({ code: 'required', text })

/** Throws Refusal: a weight is needed, and what is sent must be a positive number. */
export function parcelMeasures(input: ParcelInput): ParcelMeasures {
  if (input.predefined_package)
    throw refuseFields({
      'parcel.predefined_package': {
        code: 'option_not_offered',
        text: 'Predefined packages are not offered. Send length, width, height and weight.',
      },
    })
  const faults: Record<string, Fault> = {}
  const read = (field: 'length' | 'width' | 'height' | 'weight'): number | null => {
    const sent = input[field]
    if (sent === null || sent === undefined || sent === '') return null
    const measure = parseMeasure(String(sent).trim())
    if (measure === null)
      faults[`parcel.${field}`] = {
        code: 'not_a_number',
        text: `${field} must be a positive number, not ${JSON.stringify(shortenText(String(sent)))}`,
      }
    return measure
  }
  const measures = {
    length: read('length'),
    width: read('width'),
    height: read('height'),
    weight: read('weight'),
  }
  if (measures.weight === null)
    faults['parcel.weight'] ??= required('weight is required, in ounces')
  if (Object.keys(faults).length > 0) throw refuseFields(faults)
  return measures as ParcelMeasures
}

/** What a shipment is made of. */
export type ShipmentParts = {
  sender: AddressText
  receiver: AddressText
  parcel: ParcelMeasures
  reference: string | null
}

const ROW_FIELDS = {
  FromSenderName: 'from_address.name',
  FromCompany: 'from_address.company',
  FromPhone: 'from_address.phone',
  FromStreet1: 'from_address.street1',
  FromStreet2: 'from_address.street2',
  FromCity: 'from_address.city',
  FromStateProvince: 'from_address.state',
  FromZipPostal: 'from_address.zip',
  FromCountry: 'from_address.country',
  ToRecipientName: 'to_address.name',
  ToCompany: 'to_address.company',
  ToPhone: 'to_address.phone',
  ToStreet1: 'to_address.street1',
  ToStreet2: 'to_address.street2',
  ToCity: 'to_address.city',
  ToStateProvince: 'to_address.state',
  ToZipPostal: 'to_address.zip',
  ToCountry: 'to_address.country',
  PackageLength: 'parcel.length',
  PackageWidth: 'parcel.width',
  PackageHeight: 'parcel.height',
  PackageWeight: 'parcel.weight',
  ServiceName: 'rate',
  orderId: 'reference',
} satisfies Partial<Record<RowField, string>>

/** The name in /v2 of a field of a row ('to_address.zip'). */
export const easypostField = (field: string): string =>
  (ROW_FIELDS as Record<string, string>)[field] ?? field

/** The longest reference that an order shows and is found by. */
const MAX_ORDER_REFERENCE = 60

/**
 * Tidied, so that the rules of orders apply. A person's name may be missing where a company is
 * named. The receiver's email is for mails about the parcel; text that is no address is left out.
 */
export function shipmentRow(
  { sender, receiver, parcel, reference }: ShipmentParts,
  serviceUid = '',
): SubmittedRow {
  const email = receiverEmailOf(receiver.email)
  const numberText = (measure: number | null): string => (measure === null ? '' : String(measure))
  const row = tidyRow(
    toBulkRow({
      FromSenderName: sender.name ?? sender.company,
      FromCompany: sender.name === null ? null : sender.company,
      FromPhone: sender.phone,
      FromStreet1: sender.street1,
      FromStreet2: sender.street2,
      FromCity: sender.city,
      FromStateProvince: sender.state,
      FromZipPostal: sender.zip,
      FromCountry: sender.country,
      ToRecipientName: receiver.name ?? receiver.company,
      ToCompany: receiver.name === null ? null : receiver.company,
      ToPhone: receiver.phone,
      ToStreet1: receiver.street1,
      ToStreet2: receiver.street2,
      ToCity: receiver.city,
      ToStateProvince: receiver.state,
      ToZipPostal: receiver.zip,
      ToCountry: receiver.country,
      PackageLength: numberText(parcel.length),
      PackageWidth: numberText(parcel.width),
      PackageHeight: numberText(parcel.height),
      PackageWeight: numberText(poundsOf(parcel.weight)),
      ServiceName: serviceUid,
      orderId: (reference?.length ?? 0) > MAX_ORDER_REFERENCE ? '' : reference,
    }),
  )
  return email === '' ? row : { ...row, ToEmail: email }
}

/** Throws Refusal that names every wrong field, with the names of rows. */
export function assertShippable(parts: ShipmentParts): void {
  const faults = orderRowFaults(shipmentRow(parts), { needService: false })
  if (Object.keys(faults).length > 0) throw refuseFields(faults as Record<string, Fault>)
}

/** What a label shows of the address to which a parcel goes back. */
const RETURN_FIELDS = ['name', 'company', 'street1', 'street2', 'city', 'state', 'zip'] as const

/** Throws Refusal for another return address than the sender's: a label has only that one. */
export function assertReturnsToSender(returnsTo: AddressText, sender: AddressText): void {
  const isEmpty = RETURN_FIELDS.every(field => returnsTo[field] === null)
  if (isEmpty || RETURN_FIELDS.every(field => returnsTo[field] === sender[field])) return
  throw refuseFields({
    return_address: {
      code: 'option_not_offered',
      text: 'A return address of its own is not offered: parcels go back to from_address. Leave return_address out',
    },
  })
}

/** Options that change what is bought; all others are kept and change nothing. */
const UNSOLD_OPTIONS = [
  'additional_handling',
  'alcohol',
  'certified_mail',
  'cod_amount',
  'dry_ice',
  'hazmat',
  'hold_for_pickup',
  'registered_mail',
  'return_receipt',
] as const

const isAsked = (value: unknown): boolean =>
  value !== null
  && value !== undefined
  && !['', 'false', '0', 'no_signature'].includes(String(value).toLowerCase())

/** EasyPost's names (docs.easypost.com/docs/options). */
const CONFIRMATIONS: Record<string, Signature> = {
  NO_SIGNATURE: 'none',
  SIGNATURE: 'signature',
  ADULT_SIGNATURE: 'adult',
}

const signatureOf = (value: unknown): Signature =>
  CONFIRMATIONS[String(value ?? '').toUpperCase()] ?? 'none'

/** What `delivery_confirmation` and `saturday_delivery` of a shipment ask for. */
export const labelOptionsOf = (options: Record<string, unknown>): LabelOptions => ({
  signature: signatureOf(options.delivery_confirmation),
  saturday: isAsked(options.saturday_delivery),
})

type NamedService = Pick<ShipmentInput, 'service' | 'carrier'>

export function assertOwnCarrier(carrier: ShipmentInput['carrier']): void {
  const wanted = textOrNull(carrier)
  if (wanted === null || isUsps(wanted)) return
  throw refuseFields({
    carrier: {
      code: 'option_not_offered',
      text: `Only ${CARRIER_NAME} labels are sold here, not ${JSON.stringify(shortenText(wanted))}: leave carrier out`,
    },
  })
}

/** Throws Refusal for a service of another carrier: a service here may have its name ('Express'). */
export function assertCarrierSold({ service, carrier }: NamedService): void {
  if (textOrNull(service) !== null) assertOwnCarrier(carrier)
}

/** Throws Refusal for what would cost extra, or send the parcel another way. */
export function assertSold({
  is_return: isReturn,
  insurance,
  options,
  ...named
}: ShipmentInput): void {
  assertCarrierSold(named)
  const faults: Record<string, Fault> = {}
  const notSold = (field: string, text: string): void => {
    faults[field] = { code: 'option_not_offered', text }
  }
  if (isAsked(isReturn))
    notSold('is_return', 'Returns are not offered: send the customer’s address as from_address')
  if (isAsked(insurance) && Number(insurance) !== 0)
    notSold('insurance', 'Insurance is not offered: leave insurance out')
  for (const option of UNSOLD_OPTIONS)
    if (isAsked(options?.[option]))
      notSold(`options.${option}`, `${option} is not offered: leave it out`)
  const confirmation = options?.delivery_confirmation
  if (isAsked(confirmation) && signatureOf(confirmation) === 'none') {
    const known = Object.keys(CONFIRMATIONS).join(', ')
    const sent = JSON.stringify(shortenText(String(confirmation)))
    notSold(
      'options.delivery_confirmation',
      `delivery_confirmation is ${known} or left out, not ${sent}`,
    )
  }
  if (Object.keys(faults).length > 0) throw refuseFields(faults)
}

export const LABEL_FILE_FORMATS = ['pdf', 'png', 'zpl'] as const
export type LabelFileFormat = (typeof LABEL_FILE_FORMATS)[number]

/** 'PDF', 'png'; undefined for nothing. Throws Refusal for another format. */
export function parseLabelFormat(
  text: unknown,
  field: string,
  formats: readonly LabelFileFormat[] = LABEL_FILE_FORMATS,
): LabelFileFormat | undefined {
  if (text === null || text === undefined || text === '') return undefined
  const found = formats.find(format => format === String(text).trim().toLowerCase())
  if (found) return found
  const names = formats.map(format => format.toUpperCase()).join(', ')
  throw refuseFields({
    [field]: {
      code: 'not_a_choice',
      text: `Labels are made as ${names}, not as ${shortenText(String(text))}`,
    },
  })
}
