/** Which service a person means, whether he may buy it, and what it costs him (architecture, 6). */
import { DEFAULT_MAX_WEIGHT } from '#contract/catalogue.ts'
import type { PriceRange, RawService } from '#contract/catalogue.ts'
import { cents, dollars, fromDollars } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { priceRangesProblem, sortPriceRanges } from '#contract/price-ranges.ts'
import { parseMeasure, SERVICE_MISSING_TEXT } from '#contract/row-rules.ts'
import { tidyText } from '#contract/rows.ts'
import type { StoredPriceRange } from '#server/platform/database/tables.ts'
import { Refusal, refuseFields } from '#server/platform/http/refusal.ts'

/**
 * A postal service with its newest prices: a default one, or a user's own. `maxWeight` in pounds is the carrier's limit;
 * `offered`: the carrier still has it; `enabled`: it may be bought. Without ranges it has no price yet and cannot be bought.
 */
export type Service = {
  id: number
  uid: string
  name: string
  category: string
  maxWeight: number
  offered: boolean
  enabled: boolean
  ranges: StoredPriceRange[]
}

/** What sync and the first start put into the catalogue. */
export type NewService = Omit<Service, 'id' | 'offered'>

const FIRST_CATALOGUE: Record<string, { name: string; price: Cents }> = {
  'usps:GROUND_ADVANTAGE': { name: 'USPS Ground Advantage', price: cents(650) },
  'usps:PRIORITY_MAIL': { name: 'USPS Priority Mail', price: cents(950) },
  'usps:PRIORITY_MAIL_EXPRESS': { name: 'USPS Priority Mail Express', price: cents(2900) },
}

/**
 * How a service of the carrier enters the catalogue. The three of the first catalogue have a price for every weight; any other
 * one comes without prices and switched off, so that nothing is ever sold for nothing because nobody looked.
 */
export function newService(raw: RawService): NewService {
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

/** Ranges are whole pounds, so is the limit. */
export const wholePounds = (maxWeight: number): number =>
  maxWeight >= 1 ? Math.floor(maxWeight) : DEFAULT_MAX_WEIGHT

/** Whether labels of this service can be bought now. */
export const isAvailable = (service: Service): boolean =>
  service.enabled && service.offered && service.ranges.length > 0

/**
 * What the public page may promise for every weight: the lowest price, where each service that can be bought costs the same from
 * its first pound to its last. Null where one does not, or where nothing can be bought.
 */
export function flatPrice(services: readonly Service[]): Cents | null {
  const offers = services
    .filter(isAvailable)
    .map(({ ranges }) => new Set(ranges.map(range => range.cents)))
  if (offers.length === 0 || offers.some(prices => prices.size > 1)) return null
  return cents(Math.min(...offers.flatMap(prices => [...prices])))
}

/** The heaviest parcel that can be bought, in pounds: no more than the carrier takes, no more than there is a price for. */
export const maxPricedWeight = (service: Service): number =>
  Math.min(service.maxWeight, service.ranges.at(-1)?.to ?? service.maxWeight)

/** The price of a parcel: the range that contains its weight in whole pounds, rounded up, at least 1. Null above the last range. */
export function priceFor(
  ranges: readonly StoredPriceRange[],
  weightLb: number | null,
): Cents | null {
  // An unknown weight is priced as 1 (specification, 9).
  const pounds = Math.max(1, Math.ceil(weightLb ?? 1))
  const range = ranges.find(({ from, to }) => from <= pounds && pounds <= to)
  return range ? cents(range.cents) : null
}

/** What one user may buy and at what price. Held in memory for as long as one call or one batch is priced. */
export type PriceList = {
  services: readonly Service[]
  /** By uid or by name, whatever the letter case and the spaces around it; also services that are switched off. */
  find(nameOrUid: string): Service | undefined
  /** Null where the service cannot be bought, or not for that weight in pounds; an unknown weight is null and priced as 1. */
  priceOf(service: Service, weightLb: number | null): Cents | null
}

const normalizeServiceName = (text: string): string => tidyText(text).toLowerCase()

export function buildPriceList(services: readonly Service[]): PriceList {
  // Later entries win: uids over names, and of two services with one name the one that can be bought.
  const byAvailability = services.toSorted(
    (a, b) => Number(isAvailable(a)) - Number(isAvailable(b)),
  )
  const known = new Map([
    ...byAvailability.map(service => [normalizeServiceName(service.name), service] as const),
    ...services.map(service => [normalizeServiceName(service.uid), service] as const),
  ])
  return {
    services,
    find: nameOrUid => known.get(nameOrUid) ?? known.get(normalizeServiceName(nameOrUid)),
    priceOf: (service, weightLb) =>
      isAvailable(service) && (weightLb ?? 1) <= service.maxWeight
        ? priceFor(service.ranges, weightLb)
        : null,
  }
}

/** A service and what it costs, or which field of a bulk row is wrong and why. */
export type PriceResult =
  | { service: Service; price: Cents }
  | { field: 'ServiceName' | 'PackageWeight'; problem: string }

/** Prices one parcel; `weightLb` is null while it is unknown. */
export function priceParcel(
  prices: PriceList,
  serviceName: string,
  weightLb: number | null,
): PriceResult {
  const service = prices.find(serviceName)
  if (!service) {
    return {
      field: 'ServiceName',
      problem:
        serviceName.trim() === ''
          ? SERVICE_MISSING_TEXT
          : `Service '${shortenText(serviceName)}' is not known`,
    }
  }
  if (!isAvailable(service))
    return {
      field: 'ServiceName',
      problem: `Service '${service.name}' is not available at the moment`,
    }
  const price = prices.priceOf(service, weightLb)
  return price === null
    ? { field: 'PackageWeight', problem: `Weight must be at most ${maxPricedWeight(service)} lb` }
    : { service, price }
}

const shortenText = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)

/** A parcel to be priced; the weight as a caller sends it, unknown while it is empty. */
export type ParcelInput = { service: string; weight: number | string | null | undefined }

/**
 * The price of all parcels together. Throws Refusal 'unprocessable' with the fields that cannot be priced: '1.ServiceName',
 * '17.PackageWeight', parcels counted from 1.
 */
export function quoteParcels(prices: PriceList, parcels: readonly ParcelInput[]): Cents {
  const errors: Record<string, string> = {}
  let total = 0
  parcels.forEach((parcel, index) => {
    const text = String(parcel.weight ?? '').trim()
    const weightLb = text === '' ? null : parseMeasure(text)
    const one = priceParcel(prices, parcel.service, weightLb)
    if ('problem' in one) errors[`${index + 1}.${one.field}`] = one.problem
    else total += one.price
    if (text !== '' && weightLb === null)
      errors[`${index + 1}.PackageWeight`] = 'Weight must be a positive number'
  })
  if (Object.keys(errors).length > 0) throw refuseFields(errors)
  return cents(total)
}

/** Prices as typed, as they are stored. Throws Refusal 'unprocessable' where they break the rule for ranges (specification, 5). */
export function rangesFrom(prices: readonly PriceRange[], maxWeight: number): StoredPriceRange[] {
  const problem = priceRangesProblem(prices, maxWeight)
  if (problem !== null) throw refuseFields({ prices: problem })
  return sortPriceRanges(prices).map(range => ({
    from: range.fromWeight,
    to: range.toWeight,
    cents: fromDollars(range.price)!,
  }))
}

/** The other way: prices as they are shown. */
export const pricesOf = (ranges: readonly StoredPriceRange[]): PriceRange[] =>
  ranges.map(range => ({
    fromWeight: range.from,
    toWeight: range.to,
    price: dollars(cents(range.cents)),
  }))

const MAX_SERVICE_NAME_LENGTH = 120

/**
 * A name for a service. Throws Refusal: 'unprocessable' when it is empty or too long; 'conflict' when it means another service
 * already, because rows of a file name their service.
 */
export function parseServiceName(text: string, others: readonly Service[]): string {
  const name = tidyText(text)
  if (name === '') throw refuseFields({ name: 'Service name cannot be empty' })
  if (name.length > MAX_SERVICE_NAME_LENGTH)
    throw refuseFields({
      name: `Service name must be at most ${MAX_SERVICE_NAME_LENGTH} characters`,
    })
  if (/\p{Cc}/u.test(name))
    throw refuseFields({ name: 'Service name contains a character that cannot be printed' })
  if (
    others.some(other =>
      [other.name, other.uid].map(normalizeServiceName).includes(normalizeServiceName(name)),
    )
  ) {
    const taken = 'Another service has this name already'
    throw new Refusal('conflict', taken, { name: taken })
  }
  return name
}
