/** Prices of the rows of the table, from quoted shipments. Pure. */
import { kindsOf, NO_OPTIONS, optionsOfCells } from '#contract/label-options.ts'
import type { LabelOptions, OptionCells } from '#contract/label-options.ts'
import { cents, fromDollars, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { ShipmentPrice } from '#contract/orders.ts'
import { parseMeasure } from '#contract/row-rules.ts'
import type { BulkRow } from '#contract/rows.ts'
import { zipFive } from '#contract/zip-places.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import type { GridRow } from '#web/batches/grid-row.ts'

/**
 * In cents. `cents` is null while the price is loading (`pending`), where the server did not answer
 * (`failed`), and where there is none: `note` says why. A row without a weight has the price of 1 lb,
 * and a note.
 */
export type RowPrice = {
  cents: Cents | null
  note: string | null
  pending: boolean
  failed?: boolean
}

/** What decides a price. A weight in lb, null if unknown; `row` where size and ZIP codes count too. */
type PricedShipment = {
  service: string
  weight: number | null
  options?: LabelOptions
  row?: BulkRow
}

type PricedRow = BulkRow & OptionCells

/** Whether a service has prices by size or ZIP codes; 'carrier' where each ZIP code counts as a whole. */
export type PricedByParcel = (service: string) => boolean | 'carrier'
const BY_WEIGHT: PricedByParcel = () => false

/** By `shipmentKey`. */
export type Quotes = ReadonlyMap<string, ShipmentPrice>

const shipmentKeys = new WeakMap<BulkRow, string>()

/** Most rows have none. */
const optionsKey = (row: OptionCells): string =>
  row.signature || row.saturday ? `\t${kindsOf(optionsOfCells(row)).join('\t')}` : ''

/** Equal for rows of one price; '' without a service. Rows are immutable, so it is kept. */
export function shipmentKey(row: PricedRow, isByParcel: PricedByParcel = BY_WEIGHT): string {
  let key = shipmentKeys.get(row)
  if (key === undefined) {
    key =
      row.ServiceName === ''
        ? ''
        : `${row.ServiceName}${optionsKey(row)}\n${parseMeasure(row.PackageWeight.trim()) ?? ''}`
    shipmentKeys.set(row, key)
  }
  const by = key !== '' && isByParcel(row.ServiceName)
  return by ? `${key}\n${parcelKey(row, by === 'carrier')}` : key
}

/** Zones are between the first three digits of ZIP codes. */
const ZONE_DIGITS = 3
type Zips = readonly [from: string | null, to: string | null]

/** The parts of ZIP codes that decide a price. `wholeZips`: each ZIP code has prices of its own. */
export const pricedZips = (zips: Zips, wholeZips: boolean): readonly (string | null)[] =>
  wholeZips ? zips : zips.map(zip => zip && zip.slice(0, ZONE_DIGITS))

/** A faulty cell is null, as it is sent: as text it could refuse the prices of all rows. */
const sidesOf = (row: BulkRow): (number | null)[] =>
  [row.PackageLength, row.PackageWidth, row.PackageHeight].map(side => parseMeasure(side.trim()))
export const zipsOf = (row: BulkRow): Zips => [zipFive(row.FromZipPostal), zipFive(row.ToZipPostal)]

const parcelKey = (row: BulkRow, wholeZips: boolean): string =>
  JSON.stringify([...sidesOf(row), ...pricedZips(zipsOf(row), wholeZips)])

/** The different shipments among the rows, by key. A table of 50,000 rows has few by weight. */
export function shipmentsByKey(
  rows: readonly PricedRow[],
  isByParcel: PricedByParcel = BY_WEIGHT,
): Map<string, PricedShipment> {
  const shipments = new Map<string, PricedShipment>()
  for (const row of rows) {
    const key = shipmentKey(row, isByParcel)
    if (key !== '' && !shipments.has(key))
      shipments.set(key, {
        service: row.ServiceName,
        weight: parseMeasure(row.PackageWeight.trim()),
        ...((row.signature || row.saturday) && { options: optionsOfCells(row) }),
        ...(isByParcel(row.ServiceName) && { row }),
      })
  }
  return shipments
}

/** The most that the server reads of a name; no service has a longer one. */
const MAX_NAME_LENGTH = 1000

/** As it is sent to be priced. */
export function quotedShipment({ service, weight, options = NO_OPTIONS, row }: PricedShipment) {
  const [length, width, height] = row ? sidesOf(row) : []
  const [fromZip, toZip] = row ? zipsOf(row) : []
  return {
    service_name: service.slice(0, MAX_NAME_LENGTH),
    ...(options.signature !== 'none' && { signature: options.signature }),
    ...(options.saturday && { saturday: true }),
    package: {
      package_weight: weight,
      ...(row && { package_length: length, package_width: width, package_height: height }),
    },
    ...(row && {
      sender: { sender_zip_postal: fromZip },
      receiver: { receiver_zip_postal: toZip },
    }),
  }
}

const PENDING: RowPrice = { cents: null, note: null, pending: true }
const FAILED: RowPrice = { cents: null, note: texts.priceFailed, pending: false, failed: true }
const WITHOUT_SERVICE: RowPrice = { cents: null, note: texts.noServiceYet, pending: false }

/** The carrier is still being asked: the same question brings the price later. */
export const isPending = (quote: ShipmentPrice): boolean =>
  'code' in quote && quote.code === 'carrier_price_pending'

/** `loading`: a shipment without a quote is being quoted. */
export function rowPrice(
  row: PricedRow,
  quotes: Quotes,
  loading: boolean,
  isByParcel: PricedByParcel = BY_WEIGHT,
): RowPrice {
  const key = shipmentKey(row, isByParcel)
  if (key === '') return WITHOUT_SERVICE
  const quote = quotes.get(key)
  if (!quote) return loading ? PENDING : FAILED
  if ('reason' in quote) return { cents: null, note: quote.reason, pending: isPending(quote) }
  const note = shipmentKey(row).endsWith('\n') ? texts.pricedAsOnePound : null
  return { cents: fromDollars(quote.price), note, pending: false }
}

type PricePart = { service: string; cents: Cents; rows: number }

/**
 * `total` is of the rows that have a price. `unknownRows`: pending ones, and those that the server did
 * not answer for. `parts` are sorted, the largest number of rows first.
 */
export type PriceSum = {
  total: Cents
  pricedRows: number
  pendingRows: number
  unknownRows: number
  parts: PricePart[]
}

export function priceSum(rows: readonly GridRow[], priceOf: (row: GridRow) => RowPrice): PriceSum {
  const parts = new Map<string, PricePart>()
  let total = 0
  let pricedRows = 0
  let pendingRows = 0
  let unknownRows = 0
  for (const row of rows) {
    const price = priceOf(row)
    if (price.pending) pendingRows += 1
    if (price.pending || price.failed) unknownRows += 1
    if (price.cents === null) continue
    pricedRows += 1
    total += price.cents
    const key = `${row.ServiceName}\n${price.cents}`
    const part = parts.get(key)
    if (part) part.rows += 1
    else parts.set(key, { service: row.ServiceName, cents: price.cents, rows: 1 })
  }
  return {
    total: cents(total),
    pricedRows,
    pendingRows,
    unknownRows,
    parts: [...parts.values()].toSorted((a, b) => b.rows - a.rows),
  }
}

/** The first rows of the table that `balance` pays for: how many, and what they cost. */
export function coveredRows(
  rows: readonly GridRow[],
  priceOf: (row: GridRow) => RowPrice,
  balance: Cents,
): { rows: number; cents: Cents } {
  let total: number = ZERO
  let count = 0
  for (const row of rows) {
    const price = priceOf(row).cents
    if (price === null || total + price > balance) break
    total += price
    count += 1
  }
  return { rows: count, cents: cents(total) }
}
