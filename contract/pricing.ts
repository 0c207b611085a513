/** What a parcel costs by the prices of a service: the same on the pages and on the server. Pure. */
import type { FieldFault } from './faults.ts'
import { numberText } from './format.ts'
import { cents } from './money.ts'
import type { Cents } from './money.ts'
import type { ParcelSides } from './parcel-rules.ts'

/** Whole pounds, both ends inside. */
export type StoredPriceRange = { from: number; to: number; cents: number }

export const ZONES = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const

/**
 * `toOz`: the heaviest weight of the step in ounces; from 16 on whole pounds. `cents`: at 0 the price
 * for any zone, at 1 to 9 those of the zones; null where there is none.
 */
export type PriceStep = { toOz: number; cents: (number | null)[] }

/**
 * Prices with steps below a pound, zones or dimensional weight. `steps`: lightest first; all have
 * prices for the same zones. `dimDivisor`: cubic inches per pound; null where size does not matter.
 */
export type PriceTable = { steps: PriceStep[]; dimDivisor: number | null }

/**
 * Of a service. With a `table`, `ranges` has the highest price of each pound. Without ranges it
 * cannot be bought.
 */
export type Prices = { ranges: StoredPriceRange[]; table: PriceTable | null }

/** The zone between two ZIP codes by their first three digits, or null. */
export type ZoneLookup = (fromZip: string, toZip: string) => number | null

/** `weightLb`: null if unknown, which is priced as 1 lb; `size` in inches. */
export type PricedParcel = {
  weightLb: number | null
  size?: ParcelSides | null
  fromZip?: string | undefined
  toZip?: string | undefined
}

/** What the price of a row depends on. A faulty weight is priced as an unknown one. */
export function pricedParcelOf(row: PricedRow, faults: { PackageWeight?: unknown }): PricedParcel {
  const length = Number(row.PackageLength)
  const width = Number(row.PackageWidth)
  const height = Number(row.PackageHeight)
  const isMeasured = length > 0 && width > 0 && height > 0
  return {
    weightLb: faults.PackageWeight ? null : Number(row.PackageWeight),
    size: isMeasured ? { length, width, height } : null,
    fromZip: row.FromZipPostal,
    toZip: row.ToZipPostal,
  }
}

type PricedRow = Record<
  | 'PackageWeight'
  | 'PackageLength'
  | 'PackageWidth'
  | 'PackageHeight'
  | 'FromZipPostal'
  | 'ToZipPostal',
  string
>

/** What prices depend on; `maxWeight`: the carrier's limit in lb. */
export type PricedService = {
  name: string
  maxWeight: number
  ranges: readonly StoredPriceRange[]
  table: PriceTable | null
}

export type PriceField = 'PackageWeight' | 'PackageLength' | 'FromZipPostal' | 'ToZipPostal'

export type PriceOutcome = { price: Cents } | { field: PriceField; fault: FieldFault }

export const OUNCES_PER_POUND = 16
/** 1 cubic foot. Source: USPS Domestic Mail Manual; smaller parcels have no dimensional weight. */
const CUBIC_INCHES_WITHOUT_DIM = 1728
/** Of ounces: a weight has at most 4 decimals in pounds. */
const OUNCE_DECIMALS = 1e4

/**
 * The price of the range that contains the weight, rounded up to whole pounds. Null above the last
 * range.
 */
export function priceFor(
  ranges: readonly StoredPriceRange[],
  weightLb: number | null,
): Cents | null {
  // An unknown weight is priced as 1 lb (docs/requirements.md#prices).
  const pounds = Math.max(1, Math.ceil(weightLb ?? 1))
  const range = ranges.find(({ from, to }) => from <= pounds && pounds <= to)
  return range ? cents(range.cents) : null
}

/**
 * Cubic inches over the divisor, rounded up to whole pounds; each side is rounded up to whole inches
 * first. Null for a parcel of at most one cubic foot. Source: trade press on the USPS prices of July
 * 12, 2026 (divisor 139, fractions rounded up); no USPS document seen confirms it. The Domestic Mail
 * Manual rounded to the nearest inch before; rounding up never prices a parcel below either rule.
 */
export function dimensionalPounds(
  { length, width, height }: ParcelSides,
  divisor: number,
): number | null {
  const cubicInches = Math.ceil(length) * Math.ceil(width) * Math.ceil(height)
  return cubicInches > CUBIC_INCHES_WITHOUT_DIM ? Math.ceil(cubicInches / divisor) : null
}

/** Whether size or ZIP codes decide a price, and not the weight alone. */
export const isPricedByParcel = (table: PriceTable): boolean =>
  table.dimDivisor !== null || zonesOf(table).some(zone => zone > 0)

/** The zones that a table has prices for; 0 is any zone. */
export const zonesOf = ({ steps }: PriceTable): number[] =>
  (steps[0]?.cents ?? []).flatMap((price, zone) => (price === null ? [] : zone))

/** The heaviest parcel in lb: within the carrier's limit and the last price. */
export function maxPricedWeight({ maxWeight, ranges, table }: Omit<PricedService, 'name'>): number {
  const last = table ? (table.steps.at(-1)?.toOz ?? 0) / OUNCES_PER_POUND : ranges.at(-1)?.to
  return Math.min(maxWeight, last ?? maxWeight)
}

/** The price of a parcel, or the field that leaves it without one. */
export function priceParcel(
  service: PricedService,
  parcel: PricedParcel,
  zoneOf: ZoneLookup | null,
): PriceOutcome {
  const weightLb = parcel.weightLb ?? 1
  if (weightLb <= service.maxWeight) {
    if (service.table) return tablePrice(service, service.table, parcel, zoneOf)
    const price = priceFor(service.ranges, parcel.weightLb)
    if (price !== null) return { price }
  }
  return tooHeavy(service)
}

const tooHeavy = (service: PricedService): PriceOutcome => ({
  field: 'PackageWeight',
  fault: {
    code: 'weight_above_limit',
    text: `Weight must be at most ${maxPricedWeight(service)} lb`,
  },
})

function tablePrice(
  service: PricedService,
  table: PriceTable,
  parcel: PricedParcel,
  zoneOf: ZoneLookup | null,
): PriceOutcome {
  const ounces = ouncesOf(parcel.weightLb ?? 1)
  const dimensional = dimensionalOf(table, parcel)
  const step = stepFor(table.steps, Math.max(ounces, (dimensional ?? 0) * OUNCES_PER_POUND))
  if (!step) {
    return stepFor(table.steps, ounces)
      ? tooLargeForItsWeight(service, table.dimDivisor!, parcel.size!, dimensional!)
      : tooHeavy(service)
  }
  return zonePrice(service, step, parcel, zoneOf)
}

const dimensionalOf = ({ dimDivisor }: PriceTable, { size }: PricedParcel): number | null =>
  dimDivisor !== null && size ? dimensionalPounds(size, dimDivisor) : null

/** The weight that a parcel is priced with: its own or its dimensional weight. */
export function billedOunces(
  { table }: Pick<PricedService, 'table'>,
  parcel: PricedParcel,
): number {
  const weightLb = parcel.weightLb ?? 1
  if (!table) return Math.max(1, Math.ceil(weightLb)) * OUNCES_PER_POUND
  return Math.max(ouncesOf(weightLb), (dimensionalOf(table, parcel) ?? 0) * OUNCES_PER_POUND)
}

const ouncesOf = (pounds: number): number =>
  Math.round(pounds * OUNCES_PER_POUND * OUNCE_DECIMALS) / OUNCE_DECIMALS

/** The lightest step that takes the weight. */
function stepFor(steps: readonly PriceStep[], ounces: number): PriceStep | undefined {
  let [low, high] = [0, steps.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (steps[middle]!.toOz < ounces) low = middle + 1
    else high = middle
  }
  return steps[low]
}

function tooLargeForItsWeight(
  service: PricedService,
  divisor: number,
  { length, width, height }: ParcelSides,
  pounds: number,
): PriceOutcome {
  const sides = [length, width, height].map(numberText).join(' × ')
  const most = numberText(maxPricedWeight(service))
  return {
    field: 'PackageLength',
    fault: {
      code: 'size_too_large',
      text: `Dimensional weight is ${numberText(pounds)} lb (${sides} in ÷ ${divisor}); ${service.name} takes at most ${most} lb`,
    },
  }
}

function zonePrice(
  service: PricedService,
  step: PriceStep,
  { fromZip = '', toZip = '' }: PricedParcel,
  zoneOf: ZoneLookup | null,
): PriceOutcome {
  const anyZone = step.cents[0] ?? null
  const missing = isZip(fromZip) ? (isZip(toZip) ? null : 'ToZipPostal') : 'FromZipPostal'
  const zone = missing === null && zoneOf ? zoneOf(fromZip, toZip) : null
  const price = (zone === null ? null : step.cents[zone]) ?? anyZone
  const hasZones = () => step.cents.some((one, at) => at > 0 && one !== null)
  if (price !== null && (missing === null || !hasZones())) return { price: cents(price) }
  if (missing !== null) {
    const side = missing === 'FromZipPostal' ? 'From' : 'To'
    const text = `${side} ZIP is needed: the price of ${service.name} depends on the distance`
    return { field: missing, fault: { code: 'required', text } }
  }
  const way = `from ZIP ${fromZip.slice(0, 3)} to ${toZip.slice(0, 3)}`
  const text =
    zone === null
      ? `${service.name} has no price ${way}: their zone is not known`
      : `${service.name} has no price for zone ${zone}, ${way}`
  return { field: 'ToZipPostal', fault: { code: 'zone_without_price', text } }
}

const ZIP_DIGITS = 5

/** Whether it begins with five digits. */
function isZip(text: string): boolean {
  if (text.length < ZIP_DIGITS) return false
  for (let at = 0; at < ZIP_DIGITS; at++) {
    const code = text.charCodeAt(at)
    if (code < 48 || code > 57) return false
  }
  return true
}

/**
 * The highest price of each whole pound, for readers of plain ranges: lists of whole pounds, and
 * older processes, which charge it rather than too little.
 */
export function highestRanges({ steps }: PriceTable): StoredPriceRange[] {
  const ranges: StoredPriceRange[] = []
  let from = 1
  let highest = 0
  for (const { toOz, cents: prices } of steps) {
    highest = Math.max(highest, ...prices.map(price => price ?? 0))
    if (toOz < OUNCES_PER_POUND) continue
    const to = toOz / OUNCES_PER_POUND
    const last = ranges.at(-1)
    if (last?.cents === highest) last.to = to
    else ranges.push({ from, to, cents: highest })
    from = to + 1
    highest = 0
  }
  return ranges
}
