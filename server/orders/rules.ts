import { labelNotice, labelText } from '#contract/label-text.ts'
import type { Cents } from '#contract/money.ts'
import type { OrderStatus } from '#contract/orders.ts'
import { rowErrors, withGroupName } from '#contract/row-rules.ts'
import type { RowErrors, RowRuleOptions } from '#contract/row-rules.ts'
import { fieldByName } from '#contract/rows.ts'
import type { BulkRow, RowField } from '#contract/rows.ts'
import type { PurchaseLookupResult, PurchaseResult, Purchase } from '#server/carriers/port.ts'
import type { OrderState, StoredAddress, StoredPackage } from '#server/platform/database/tables.ts'

/** What the customer sees of a label's life (architecture, 4). */
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

/** What the customer reads while the carrier's answer is being looked for. */
export const BEING_CHECKED = 'Being checked with the carrier'

/** What the customer reads while only the operator can help. */
export const WAITING_FOR_ACCOUNT = 'Waiting for the carrier account'

/** The name of a label's file: found by its number, kept from guessing by its key. Specimens say so (labels, 6.4). */
export const labelFileName = (id: number, key: string, sandbox: boolean): string =>
  `${sandbox ? 'SAMPLE-' : ''}label-${id}-${key.replaceAll('-', '')}.pdf`

/** The order's number in a label's file name, or null for any other text. */
export function orderIdInFileName(name: string): number | null {
  const found = /^(?:SAMPLE-)?label-([1-9]\d{0,14})-[0-9a-f]{32}\.pdf$/.exec(name)
  return found ? Number(found[1]) : null
}

/** An order to be written: what was asked for, at the price agreed. */
export type NewOrder = {
  serviceUid: string
  serviceName: string
  price: Cents
  sender: StoredAddress
  receiver: StoredAddress
  package: StoredPackage
  manifested: boolean
  orderRef: string | null
  itemRef: string | null
}

/** A sound, tidy row (contract/rows.ts) as an order. */
export function newOrderFromRow(
  row: BulkRow,
  service: { uid: string; name: string },
  price: Cents,
): NewOrder {
  return {
    serviceUid: service.uid,
    serviceName: service.name,
    price,
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
  }
}

/** The way back: a stored order as a row to be edited and submitted anew. */
export function bulkRowFromOrder(
  order: Omit<NewOrder, 'serviceUid' | 'price' | 'manifested'>,
): BulkRow {
  const { sender, receiver, package: parcel } = order
  return {
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
 * What becomes of a label after an answer; `waitMs` from now until it is looked at again. `refusal`: why it fails, once the carrier has
 * said that nothing was sold. `cost` is null where nobody knows what the carrier took.
 */
export type Verdict =
  | { state: 'purchased'; trackingNumber: string; cost: Cents | null; isVoided: boolean }
  | { state: 'failed'; reason: string }
  | { state: 'queued'; waitMs: number; reason: string }
  | { state: 'unknown'; waitMs: number; reason: string; refusal?: string }

const DAY_MS = 24 * 60 * 60 * 1000
const ACCOUNT_WAIT_MS = 60_000
const FIRST_LOOKUP_MS = 250
/** A carrier may still be at work on a sale when its line has long been broken; nobody's takes longer than this. */
const GIVE_UP_MS = 2 * 60_000
/** One that has answered a later question about the same label with no is not at work on an earlier one for longer than this. */
const REFUSED_MS = 10_000

/** Waits longer with every try, up to a minute; what the carrier asked for comes first. */
export const backOffMs = (attempt: number, askedMs = 0): number =>
  Math.max(askedMs, Math.min(60_000, 250 * 2 ** Math.min(attempt, 12)))

/** How a label came to its answer: how often it was tried, how long it has waited (ms), and whether an answer of its round is missing. */
export type PurchaseHistory = { attempt: number; waitedMs: number; doubtMs: number | null }

/**
 * After a purchase was tried (architecture, 4). A refusal is no proof where an earlier question of the same round was not answered: that
 * one may have sold it. Nor is a day without success. Both fail the label when the carrier has been asked.
 */
export function verdictOnPurchase(
  outcome: PurchaseResult,
  { attempt, waitedMs, doubtMs }: PurchaseHistory,
): Verdict {
  if (outcome.ok) return purchasedVerdict(outcome.purchase)
  switch (outcome.kind) {
    case 'permanent':
      return doubtMs === null
        ? { state: 'failed', reason: outcome.message }
        : verdictPendingLookup(outcome.message)
    case 'unknown':
      return { state: 'unknown', waitMs: FIRST_LOOKUP_MS, reason: BEING_CHECKED }
    case 'account':
      // What the carrier says is between him and the operator.
      return waitedMs > DAY_MS
        ? verdictPendingLookup('The carrier account was not ready for 24 hours')
        : { state: 'queued', waitMs: ACCOUNT_WAIT_MS, reason: WAITING_FOR_ACCOUNT }
    case 'retryable':
      return waitedMs > DAY_MS
        ? verdictPendingLookup(`${outcome.message}, for 24 hours`)
        : {
            state: 'queued',
            waitMs: backOffMs(attempt, outcome.retryAfterMs),
            reason: `${outcome.message}; it will be tried again`,
          }
  }
}

const verdictPendingLookup = (refusal: string): Verdict => ({
  state: 'unknown',
  waitMs: FIRST_LOOKUP_MS,
  reason: BEING_CHECKED,
  refusal,
})

/** What the carrier said; `bought_later`: not in this round but in a later one, which a restored database has forgotten. */
export type LookupConclusion = PurchaseLookupResult | { found: 'bought_later' }

/** How a label of unknown outcome came to be one (see `Claim`). */
export type UnknownHistory = {
  unknownMs: number
  doubtMs?: number | null
  attempt?: number
  refusal?: string | null
}

/**
 * After the carrier was asked what became of a label. `mayQueue`: whether its batch is still open (or it has none); a closed
 * one has counted the label as failed, and a proof that it was not bought makes that so (architecture, 5). To ask again under the
 * same key is safe at once; to give up is not, as a sale that is entered later would be nobody's, and the next round buys another.
 * The second try comes at once, later ones wait, so that a carrier that breaks every sale is not asked each second. A label that was
 * refused fails for that reason.
 */
export function verdictOnLookup(
  found: LookupConclusion,
  doubt: UnknownHistory,
  quarantineMs: number,
  mayQueue: boolean,
): Verdict {
  const { unknownMs, doubtMs = null, attempt = 1, refusal = null } = doubt
  if (found.found === 'purchased') return purchasedVerdict(found.purchase)
  if (refusal !== null && found.found === 'not_purchased') {
    if (doubtMs === null || doubtMs >= Math.max(quarantineMs, REFUSED_MS))
      return { state: 'failed', reason: refusal }
    return { state: 'unknown', waitMs: lookupRetryMs(unknownMs), reason: BEING_CHECKED }
  }
  const gapMs =
    mayQueue || found.found === 'bought_later' ? quarantineMs : Math.max(quarantineMs, GIVE_UP_MS)
  if (found.found === 'unknown' || unknownMs < gapMs) {
    return { state: 'unknown', waitMs: lookupRetryMs(unknownMs), reason: BEING_CHECKED }
  }
  if (found.found === 'bought_later')
    return { state: 'failed', reason: 'This label is ready at the carrier: Retry Failed gets it' }
  if (!mayQueue) return { state: 'failed', reason: 'The carrier did not sell this label' }
  return { state: 'queued', waitMs: attempt > 1 ? backOffMs(attempt - 1) : 0, reason: '' }
}

const purchasedVerdict = ({ trackingNumber, costCents, isVoided = false }: Purchase): Verdict => ({
  state: 'purchased',
  trackingNumber,
  cost: costCents,
  isVoided,
})

/** Every second at first, every minute in the end. */
const lookupRetryMs = (unknownMs: number): number =>
  Math.min(60_000, Math.max(1_000, unknownMs / 2))

/** What a buyer of one label asked for: the row's fields, by which all rules judge, and what only the wire has. */
export type OrderInput = { row: BulkRow; manifested: boolean }

const PRINTED_FIELDS: RowField[] = [
  'FromSenderName',
  'FromStreet1',
  'FromCity',
  'ToRecipientName',
  'ToStreet1',
  'ToCity',
]

/**
 * All errors of a row: the rules that the browser knows too, and whether its names can be printed in Latin letters. Every
 * accepted row passes this one function, from a file or from the form.
 */
export function orderRowErrors(row: BulkRow, rules: RowRuleOptions): RowErrors {
  const errors = rowErrors(row, rules)
  for (const field of PRINTED_FIELDS) {
    const text = row[field]
    if (!errors[field] && NOT_ASCII.test(text) && labelText(text) === null)
      errors[field] = `${fieldByName(field).label} ${labelNotice(text)}`
  }
  return errors
}
const NOT_ASCII = /[^\x20-\x7e]/

/** What is wrong with a wish, by fields of its row (specification, 5: single order). `maxWeight` in pounds. */
export function orderInputErrors({ row }: OrderInput, maxWeight: number | undefined): RowErrors {
  const errors: RowErrors = {}
  if (row.ServiceName.trim() === '') errors.ServiceName = 'Please select a service'
  const found = orderRowErrors(row, {
    needService: false,
    ...(maxWeight !== undefined && { maxWeight }),
  })
  for (const [field, text] of Object.entries(found) as [RowField, string][])
    errors[field] = withGroupName(field, text)
  return errors
}
