import { DEFAULT_MAX_WEIGHT } from '#contract/catalogue.ts'
import type { PriceRange, PriceTableWire, RawService } from '#contract/catalogue.ts'
import type { FieldCode, FieldFault } from '#contract/faults.ts'
import { NO_OPTIONS } from '#contract/label-options.ts'
import type { LabelOptions, OptionField } from '#contract/label-options.ts'
import { cents, dollars, fromDollars } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { isTooLight, sizeFault, TOO_LIGHT } from '#contract/parcel-rules.ts'
import type { ParcelSides } from '#contract/parcel-rules.ts'
import type { FlatOffer } from '#contract/price-chart.ts'
import { priceRangesProblem, sortPriceRanges } from '#contract/price-ranges.ts'
import { isLive, priceByRule } from '#contract/price-rules.ts'
import type { PriceRule } from '#contract/price-rules.ts'
import { maxPricedWeight, priceParcel as priceOfParcel } from '#contract/pricing.ts'
import type {
  PricedParcel,
  PriceField,
  Prices,
  PriceTable,
  StoredPriceRange,
  ZoneLookup,
} from '#contract/pricing.ts'
import { parseMeasure, SERVICE_MISSING_TEXT } from '#contract/row-rules.ts'
import { isFarTooLong, shortenText, tidyText, tidyWithin, tooLong } from '#contract/text.ts'
import { refuseField, refuseFields } from '#server/platform/http/refusal.ts'
import { addOptionPrices, NO_OFFERS } from './option-rules.ts'
import type { OptionsOf } from './option-rules.ts'
import { NO_QUOTES, pendingFault, quotedParcelOf, quoteKey } from './quote-rules.ts'
import type { KnownQuote, KnownQuotes } from './quote-rules.ts'

/**
 * A default service or a user's own, with its newest prices. `maxWeight`: the carrier's limit in
 * lb; `offered`: the carrier still has it; `enabled`: switched on by the operator; `rule`: that its
 * prices follow. Without ranges and without a live rule it cannot be bought.
 */
export type Service = {
  id: number
  uid: string
  name: string
  category: string
  maxWeight: number
  offered: boolean
  enabled: boolean
  rule: PriceRule | null
  /** Of its newest prices; null without any. */
  priceVersionId: number | null
} & Prices

export type NewService = Omit<Service, 'id' | 'offered' | 'table' | 'rule' | 'priceVersionId'>

const FIRST_CATALOGUE: Record<string, { name: string; price: Cents }> = {
  'usps:GROUND_ADVANTAGE': { name: 'USPS Ground Advantage', price: cents(650) },
  'usps:PRIORITY_MAIL': { name: 'USPS Priority Mail', price: cents(950) },
  'usps:PRIORITY_MAIL_EXPRESS': { name: 'USPS Priority Mail Express', price: cents(2900) },
}

/**
 * A carrier's service as it enters the catalogue. The first three services have a price for every
 * weight; any other one is disabled and has no prices, so that it is never sold at an unreviewed
 * price.
 */
export function serviceFromCarrier(raw: RawService): NewService {
  const maxWeight = wholePounds(raw.maxWeight)
  const first = FIRST_CATALOGUE[raw.uid]
  return {
    uid: raw.uid,
    name: first?.name ?? raw.name,
    category: raw.category || 'Other',
    maxWeight,
    enabled: first !== undefined,
    ranges: first ? [{ from: 1, to: maxWeight, cents: first.price }] : [],
  }
}

/** Whether all services for sale have the flat prices of the first catalogue. */
export function hasFirstPrices(services: readonly Service[]): boolean {
  const forSale = services.filter(isAvailable)
  return (
    forSale.length > 0
    && forSale.every(
      ({ uid, ranges }) => ranges.length === 1 && ranges[0]!.cents === FIRST_CATALOGUE[uid]?.price,
    )
  )
}

/** The limit in whole pounds, like the ranges. */
export const wholePounds = (maxWeight: number): number =>
  maxWeight >= 1 ? Math.floor(maxWeight) : DEFAULT_MAX_WEIGHT

export const isAvailable = (service: Service): boolean =>
  service.enabled && service.offered && hasPrices(service)

/** A live rule has the carrier's. */
export const hasPrices = (service: Pick<Service, 'ranges' | 'rule'>): boolean =>
  service.ranges.length > 0 || isLive(service)

/**
 * The heaviest parcel that is sold at the price of one of 1 lb, with that price: the promise of the
 * public page. Of several services the one that takes most, then the cheapest. Null when none is
 * available.
 */
export function flatOffer(services: readonly Service[]): FlatOffer | null {
  // By a price table the price of 1 lb may depend on the distance; a live one changes by the day.
  const plain = services.filter(
    service => isAvailable(service) && service.table === null && !isLive(service),
  )
  const offers = plain.map(service => {
    const price = service.ranges[0]!.cents
    const next = service.ranges.find(range => range.cents !== price)
    const heaviest = Math.min(maxPricedWeight(service), next ? next.from - 1 : Infinity)
    return { price: cents(price), heaviest }
  })
  return offers.toSorted((a, b) => b.heaviest - a.heaviest || a.price - b.price)[0] ?? null
}

/** A user's services and prices, in memory while one request or one batch is priced. */
export type PriceList = {
  services: readonly Service[]
  /** By uid or name, ignoring letter case and surrounding spaces; includes disabled services. */
  find(nameOrUid: string): Service | undefined
  /** Null without a zone matrix. */
  zoneOf: ZoneLookup | null
  /** Of live services: what the carrier has told. */
  quotes: KnownQuotes
  /** What labels may ask for beside a service; nothing until it was read. */
  optionsOf: OptionsOf
}

const MAX_SERVICE_NAME_LENGTH = 120
const normalizeServiceName = (text: string): string => tidyText(text).toLowerCase()

export function indexServicesWithPrices(
  services: readonly Service[],
  zoneOf: ZoneLookup | null = null,
): PriceList {
  // Later entries win: uids over names, and of two services with one name the available one.
  const byAvailability = services.toSorted(
    (a, b) => Number(isAvailable(a)) - Number(isAvailable(b)),
  )
  const known = new Map([
    ...byAvailability.map(service => [normalizeServiceName(service.name), service] as const),
    ...services.map(service => [normalizeServiceName(service.uid), service] as const),
  ])
  return {
    services,
    find: nameOrUid =>
      isFarTooLong(nameOrUid, MAX_SERVICE_NAME_LENGTH)
        ? undefined
        : (known.get(nameOrUid) ?? known.get(normalizeServiceName(nameOrUid))),
    zoneOf,
    quotes: NO_QUOTES,
    optionsOf: NO_OFFERS,
  }
}

/** `quote`: that a live price follows from. */
export type PricedWith = {
  service: Service
  price: Cents
  quote?: Extract<KnownQuote, { cost: Cents }>
}

/** A service and its price, or the invalid field of the bulk row. */
export type PriceResult = PricedWith | { field: 'ServiceName' | PriceField; fault: FieldFault }

/** The price of a parcel by the service's name or uid: the one function that all sales go through. */
export function findPriceOrProblem(
  prices: PriceList,
  serviceName: string,
  parcel: PricedParcel,
): PriceResult {
  const service = prices.find(serviceName)
  if (!service) return { field: 'ServiceName', fault: unknownService(serviceName) }
  if (!isAvailable(service)) {
    const text = `Service '${service.name}' is not available right now`
    return { field: 'ServiceName', fault: { code: 'service_not_available', text } }
  }
  if (isLive(service)) return livePrice(service, parcel, prices.quotes)
  const found = priceOfParcel(service, parcel, prices.zoneOf)
  return 'price' in found ? { service, price: found.price } : found
}

function livePrice(service: Service, parcel: PricedParcel, quotes: KnownQuotes): PriceResult {
  const quoted = quotedParcelOf(service, parcel)
  if ('fault' in quoted) return quoted
  const quote = quotes.get(quoteKey(quoted)) ?? { fault: pendingFault() }
  return 'fault' in quote
    ? { field: 'ServiceName', fault: quote.fault }
    : { service, price: priceByRule(service.rule!, quote.cost), quote }
}

function unknownService(name: string): FieldFault {
  if (isFarTooLong(name, MAX_SERVICE_NAME_LENGTH))
    return tooLong('Service', MAX_SERVICE_NAME_LENGTH, name.length)
  return name.trim() === ''
    ? { code: 'required', text: SERVICE_MISSING_TEXT }
    : { code: 'service_unknown', text: `Service '${shortenText(name)}' does not exist` }
}

type MeasureInput = number | string | null | undefined

/** As sent by the caller; empty means unknown. The size counts if all three sides are known. */
export type ParcelInput = {
  service: string
  weight: MeasureInput
  length?: MeasureInput
  width?: MeasureInput
  height?: MeasureInput
  fromZip?: string | undefined
  toZip?: string | undefined
  options?: LabelOptions | undefined
}

const measureOf = (given: MeasureInput): number | null => parseMeasure(String(given ?? '').trim())

/** Null unless all three sides are known. */
function sizeOf(parcel: ParcelInput): ParcelSides | null {
  const length = measureOf(parcel.length)
  const width = measureOf(parcel.width)
  const height = measureOf(parcel.height)
  return length === null || width === null || height === null ? null : { length, width, height }
}

type QuotedField = 'ServiceName' | PriceField | OptionField
type ParcelFaults = Partial<Record<QuotedField, FieldFault>>

/** What a price depends on; a weight that is not a number counts as unknown. */
export function pricedParcelFrom(parcel: ParcelInput): PricedParcel {
  const { fromZip, toZip } = parcel
  return { weightLb: measureOf(parcel.weight), size: sizeOf(parcel), fromZip, toZip }
}

/** `price` is that of the weight with the options; a parcel with errors cannot be bought for it. */
function priceParcel(
  prices: PriceList,
  parcel: ParcelInput,
): { price: Cents | null; faults: ParcelFaults } {
  const faults: ParcelFaults = {}
  const text = String(parcel.weight ?? '').trim()
  const priced = pricedParcelFrom(parcel)
  const { weightLb, size } = priced
  const one = findPriceOrProblem(prices, parcel.service, priced)
  if ('fault' in one) faults[one.field] = one.fault
  else {
    const tooLarge = size ? sizeFault(one.service.uid, size) : null
    if (tooLarge !== null) faults.PackageLength = tooLarge
  }
  const label =
    'fault' in one
      ? null
      : addOptionPrices(one.price, one.service, parcel.options ?? NO_OPTIONS, prices.optionsOf)
  if (label && 'faults' in label) Object.assign(faults, label.faults)
  if (text !== '' && weightLb === null) faults.PackageWeight = NOT_POSITIVE
  else if (weightLb !== null && isTooLight(weightLb)) faults.PackageWeight = TOO_LIGHT
  return { price: label && 'price' in label ? label.price : null, faults }
}

const NOT_POSITIVE: FieldFault = {
  code: 'measure_not_positive',
  text: 'Weight must be a positive number',
}

/**
 * The total price. Throws Refusal 422 with the invalid fields: '1.ServiceName',
 * '17.PackageWeight', '17.PackageLength', parcels counted from 1.
 */
export function quoteParcels(prices: PriceList, parcels: readonly ParcelInput[]): Cents {
  const refused: Record<string, FieldFault> = {}
  let total = 0
  parcels.forEach((parcel, index) => {
    const { price, faults } = priceParcel(prices, parcel)
    total += price ?? 0
    for (const [field, fault] of Object.entries(faults)) refused[`${index + 1}.${field}`] = fault
  })
  if (Object.keys(refused).length > 0) throw refuseFields(refused)
  return cents(total)
}

/** In cents, or the first reason why a parcel has no price. */
export type ParcelQuote = { price: Cents } | { reason: string; code: FieldCode }

/** The price of each parcel, in their order. A parcel without a price does not affect the others. */
export const quoteEachParcel = (
  prices: PriceList,
  parcels: readonly ParcelInput[],
): ParcelQuote[] =>
  parcels.map(parcel => {
    const { price, faults } = priceParcel(prices, parcel)
    const [first] = Object.values(faults)
    return first ? { reason: first.text, code: first.code } : { price: price! }
  })

/** Throws Refusal 422 for invalid ranges. */
export function rangesFrom(prices: readonly PriceRange[], maxWeight: number): StoredPriceRange[] {
  const problem = priceRangesProblem(prices, maxWeight)
  if (problem !== null) throw refuseField('prices', 'price_ranges_invalid', problem)
  return sortPriceRanges(prices).map(range => ({
    from: range.fromWeight,
    to: range.toWeight,
    cents: fromDollars(range.price)!,
  }))
}

export const tableWire = (table: PriceTable | null): PriceTableWire | null =>
  table && {
    steps: table.steps.map(step => ({
      toOz: step.toOz,
      prices: step.cents.map(price => (price === null ? null : dollars(cents(price)))),
    })),
    dimDivisor: table.dimDivisor,
  }

export const pricesOf = (ranges: readonly StoredPriceRange[]): PriceRange[] =>
  ranges.map(range => ({
    fromWeight: range.from,
    toWeight: range.to,
    price: dollars(cents(range.cents)),
  }))

/**
 * Throws Refusal 422 for an empty, long or unprintable name; 409 for one that
 * matches another service's name or uid, because rows of a file name their service.
 */
export function parseServiceName(text: string, others: readonly Service[]): string {
  const name = tidyWithin(text, MAX_SERVICE_NAME_LENGTH)
  if (name === '') throw refuseField('name', 'required', 'Service name cannot be empty')
  if (isFarTooLong(name, MAX_SERVICE_NAME_LENGTH))
    throw refuseFields({ name: tooLong('Service name', MAX_SERVICE_NAME_LENGTH, name.length) })
  if (name.length > MAX_SERVICE_NAME_LENGTH)
    throw refuseField(
      'name',
      'too_long',
      `Service name must be at most ${MAX_SERVICE_NAME_LENGTH} characters`,
    )
  if (/\p{Cc}/u.test(name))
    throw refuseField(
      'name',
      'character_not_printable',
      'Service name contains a character that cannot be printed',
    )
  if (
    others.some(other =>
      [other.name, other.uid].map(normalizeServiceName).includes(normalizeServiceName(name)),
    )
  ) {
    const taken = 'Another service already has this name'
    throw refuseField('name', 'name_taken', taken)
  }
  return name
}
