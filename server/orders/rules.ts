import type { FieldFault } from '#contract/faults.ts'
import { cellsOfOptions } from '#contract/label-options.ts'
import type { LabelOptions } from '#contract/label-options.ts'
import { labelNotice, labelText } from '#contract/label-text.ts'
import type { Cents } from '#contract/money.ts'
import type { OrderStatus, VoidStatus } from '#contract/orders.ts'
import { rowFaults, withGroupName } from '#contract/row-rules.ts'
import type { RowFaults, RowRuleOptions } from '#contract/row-rules.ts'
import { fieldByName } from '#contract/rows.ts'
import type { BulkRow, RowField, RowItem, SubmittedRow } from '#contract/rows.ts'
import type { ScanFormState } from '#contract/scan-forms.ts'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { StoredAddress, StoredPackage } from '#server/carriers/port.ts'

export type OrderState =
  | 'queued'
  | 'purchasing'
  | 'unknown'
  | 'purchased'
  | 'failed'
  | 'voiding'
  | 'voided'

export type OrderRecord = {
  id: number
  userId: number
  batchId: number | null
  rowNo: number | null
  state: OrderState
  round: number
  serviceName: string
  price: Cents
  sender: StoredAddress
  receiver: StoredAddress
  package: StoredPackage
  options: LabelOptions
  manifested: boolean
  orderRef: string | null
  itemRef: string | null
  items: RowItem[] | null
  pdfKey: string
  trackingNumber: string | null
  reason: string | null
  replacedBy: number | null
  purchasedAt: Date | null
  voidReason: string | null
  voidSubmittedAt: Date | null
  /** The carrier has voided the label; the refund is due later. Both null where it does not wait. */
  voidConfirmedAt: Date | null
  refundDueAt: Date | null
  voidedAt: Date | null
  createdAt: Date
  tracking: TrackingRecord | null
  /** Of the parcel's public page. */
  pageToken?: string | null
  scanForm: { id: number; state: Exclude<ScanFormState, 'failed'> } | null
}

/** What the files of a bulk order need of a row. */
export type BatchRow = Pick<
  OrderRecord,
  | 'id'
  | 'state'
  | 'serviceName'
  | 'price'
  | 'sender'
  | 'receiver'
  | 'package'
  | 'options'
  | 'orderRef'
  | 'itemRef'
  | 'items'
  | 'trackingNumber'
  | 'reason'
  | 'purchasedAt'
  | 'pageToken'
> & { rowNo: number }

/** `detail`: the carrier's own words; `at`: when the carrier saw the parcel. */
export type TrackingRecord = { status: TrackingStatus; detail: string | null; at: Date | null }

export type StateCounts = Record<OrderState, number>

export type UnboughtRow = {
  batchId: number
  id: number
  row: number
  state: 'failed' | 'unknown'
  receiver: string
  /** '2 Old Post Rd, Fresno CA 93701'. */
  address: string
  itemRef: string | null
  reason: string | null
  replacedBy: number | null
}

/** Longer than the carrier's time-out, so that an answer is settled within the lease. */
export const LABEL_LEASE_MS = 15_000

const STATUS_BY_STATE: Record<OrderState, OrderStatus> = {
  queued: 'pending',
  purchasing: 'pending',
  unknown: 'pending',
  purchased: 'completed',
  voiding: 'completed',
  failed: 'cancelled',
  voided: 'cancelled',
}
export const orderStatusFor = (state: OrderState): OrderStatus => STATUS_BY_STATE[state]

/** Customers see this reason. */
export const BEING_CHECKED = 'Being checked with the carrier'
/** Why a label failed that a later round has bought: only that round, at its account, gets it. */
export const READY_AT_CARRIER = 'This label is ready at the carrier: Retry Failed gets it'

/** Null if no void was requested. */
export function voidStatusOf(order: {
  state: OrderState
  voidReason: string | null
}): VoidStatus | null {
  if (order.state === 'voiding') return 'requested'
  if (order.state === 'voided') return 'voided'
  return order.state === 'purchased' && order.voidReason !== null ? 'refused' : null
}

/** Of a bought label: why it was not voided. */
export const shownReasonOf = (order: {
  state: OrderState
  reason: string | null
  voidReason: string | null
}): string | null => (order.state === 'purchased' ? order.voidReason : order.reason)

/** The random key keeps the name from being guessed. Specimens have a prefix. */
export const labelFileName = (id: number, key: string, sandbox: boolean): string =>
  `${sandbox ? 'SAMPLE-' : ''}label-${id}-${key.replaceAll('-', '')}.pdf`

export function orderIdInFileName(name: string): number | null {
  const found = /^(?:SAMPLE-)?label-([1-9]\d{0,14})-[0-9a-f]{32}\.pdf$/.exec(name)
  return found ? Number(found[1]) : null
}

/** `price` contains that of the options, which is `optionsPrice`. */
export type NewOrder = {
  serviceUid: string
  serviceName: string
  price: Cents
  options: LabelOptions
  optionsPrice: Cents
  /** The version that it was priced by. */
  priceVersionId: number | null
  /** What the carrier quoted, where the price follows from it. */
  quote: { cost: Cents; askedAt: Date } | null
  sender: StoredAddress
  receiver: StoredAddress
  package: StoredPackage
  manifested: boolean
  orderRef: string | null
  itemRef: string | null
  /** Of a row that combines order items; null: the row is its own item. */
  items: RowItem[] | null
}

/** jsonb does not keep the order of keys, so extra columns are a list. */
export type StoredItem = Omit<RowItem, 'extra'> & { extra?: [column: string, text: string][] }

export const toStoredItem = ({ extra, ...item }: RowItem): StoredItem => ({
  ...item,
  ...(extra && { extra: Object.entries(extra) }),
})

export const toRowItem = ({ extra, ...item }: StoredItem): RowItem => ({
  ...item,
  ...(extra && { extra: Object.fromEntries(extra) }),
})

/** `row` has passed `tidyRow` and has no errors. */
export function newOrderFromRow(
  row: SubmittedRow,
  service: { uid: string; name: string; priceVersionId: number | null },
  { price, options, optionsPrice }: Pick<NewOrder, 'price' | 'options' | 'optionsPrice'>,
  quote: NewOrder['quote'] = null,
): NewOrder {
  return {
    serviceUid: service.uid,
    serviceName: service.name,
    price,
    options,
    optionsPrice,
    priceVersionId: service.priceVersionId,
    quote,
    manifested: false,
    sender: {
      name: row.FromSenderName,
      company: row.FromCompany,
      phone: row.FromPhone,
      street1: row.FromStreet1,
      street2: row.FromStreet2,
      city: row.FromCity,
      state: row.FromStateProvince,
      zip: row.FromZipPostal,
      country: row.FromCountry,
    },
    receiver: {
      name: row.ToRecipientName,
      company: row.ToCompany,
      phone: row.ToPhone,
      street1: row.ToStreet1,
      street2: row.ToStreet2,
      city: row.ToCity,
      state: row.ToStateProvince,
      zip: row.ToZipPostal,
      country: row.ToCountry,
      ...(row.ToEmail && { email: row.ToEmail }),
    },
    package: {
      length: Number(row.PackageLength),
      width: Number(row.PackageWidth),
      height: Number(row.PackageHeight),
      weight: Number(row.PackageWeight),
      description: row.PackageDescription,
      quantity: row.quantity || row.PackageReference1,
      sku: row.skuNumber || row.PackageReference2,
    },
    orderRef: row.orderId || null,
    itemRef: row.orderItemId || null,
    items: row.items ?? null,
  }
}

/** The reverse: a row to be edited and submitted again. */
export function bulkRowFromOrder(
  order: Pick<
    NewOrder,
    'sender' | 'receiver' | 'package' | 'options' | 'serviceName' | 'orderRef' | 'itemRef'
  >,
): SubmittedRow {
  const { sender, receiver, package: parcel } = order
  return {
    ...(receiver.email && { ToEmail: receiver.email }),
    ...cellsOfOptions(order.options),
    FromSenderName: sender.name,
    FromCompany: sender.company,
    FromPhone: sender.phone,
    FromStreet1: sender.street1,
    FromStreet2: sender.street2,
    FromCity: sender.city,
    FromStateProvince: sender.state,
    FromZipPostal: sender.zip,
    FromCountry: sender.country,
    ToRecipientName: receiver.name,
    ToCompany: receiver.company,
    ToPhone: receiver.phone,
    ToStreet1: receiver.street1,
    ToStreet2: receiver.street2,
    ToCity: receiver.city,
    ToStateProvince: receiver.state,
    ToZipPostal: receiver.zip,
    ToCountry: receiver.country,
    PackageLength: String(parcel.length),
    PackageWidth: String(parcel.width),
    PackageHeight: String(parcel.height),
    PackageWeight: String(parcel.weight),
    PackageDescription: parcel.description,
    PackageReference1: parcel.quantity,
    PackageReference2: parcel.sku,
    ServiceName: order.serviceName,
    courier: 'usps',
    orderId: order.orderRef ?? '',
    orderItemId: order.itemRef ?? '',
    quantity: parcel.quantity,
    skuNumber: parcel.sku,
  }
}

/**
 * A row, so that the rules of bulk orders apply, and fields that rows do not have. `options`: absent
 * for none. At another price than `agreedPrice`, with that of the options, it is refused.
 */
export type OrderInput = {
  row: SubmittedRow
  manifested: boolean
  options?: LabelOptions
  agreedPrice?: Cents
}

const PRINTED_FIELDS: RowField[] = [
  'FromSenderName',
  'FromStreet1',
  'FromCity',
  'ToRecipientName',
  'ToStreet1',
  'ToCity',
]

/**
 * The rules of the browser, and whether names are printable. Every accepted row has passed this
 * function.
 */
export function orderRowFaults(row: BulkRow, rules: RowRuleOptions): RowFaults {
  const faults = rowFaults(row, rules)
  for (const field of PRINTED_FIELDS) {
    const value = row[field]
    if (!faults[field] && NOT_ASCII.test(value) && labelText(value) === null)
      faults[field] = {
        code: 'character_not_printable',
        text: `${fieldByName(field).label} ${labelNotice(value)}`,
      }
  }
  return faults
}
const NOT_ASCII = /[^\x20-\x7e]/

/** Faults of a single order by field (docs/requirements.md#orders). `service`: the chosen one, if known. */
export function orderInputFaults(
  { row }: OrderInput,
  service: { uid: string; maxWeight: number } | undefined,
): RowFaults {
  const faults: RowFaults = {}
  if (row.ServiceName.trim() === '')
    faults.ServiceName = { code: 'required', text: 'Please select a service' }
  const found = orderRowFaults(row, {
    needService: false,
    ...(service && { maxWeight: service.maxWeight, serviceUid: service.uid }),
  })
  for (const [field, { code, text }] of Object.entries(found) as [RowField, FieldFault][])
    faults[field] = { code, text: withGroupName(field, text) }
  return faults
}
