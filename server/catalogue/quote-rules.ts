/** Parcels whose cost is the carrier's quote: what is asked, and the prices that follow. Pure. */
import type { FieldFault } from '#contract/faults.ts'
import type { Cents } from '#contract/money.ts'
import { parcelFault } from '#contract/parcel-rules.ts'
import { maxPricedWeight } from '#contract/pricing.ts'
import type { PricedParcel, PriceField } from '#contract/pricing.ts'
import { zipFive } from '#contract/zip-places.ts'
import type { StoredAddress, Shipment } from '#server/carriers/port.ts'

/** All that the carrier's price depends on. Five-digit ZIP codes, pounds, inches. */
export type QuotedParcel = {
  uid: string
  fromZip: string
  toZip: string
  weight: number
  length: number
  width: number
  height: number
}

/** Of the carrier, or why there is none. `askedAt`: when the carrier told it. */
export type KnownQuote = { cost: Cents; askedAt: Date } | { fault: FieldFault }

/** By `quoteKey`. */
export type KnownQuotes = ReadonlyMap<string, KnownQuote>

export const NO_QUOTES: KnownQuotes = new Map()

/** Equal for parcels of one price. */
export const quoteKey = (parcel: QuotedParcel): string => {
  const { uid, fromZip, toZip, weight, length, width, height } = parcel
  return `${uid} ${fromZip} ${toZip} ${weight} ${length}x${width}x${height}`
}

type LimitedService = { uid: string; name: string; maxWeight: number }
type FieldProblem = { field: PriceField; fault: FieldFault }

/** What the carrier is asked, or the field without which it cannot tell. An unknown weight is 1 lb. */
export function quotedParcelOf(
  { uid, name, maxWeight }: LimitedService,
  { weightLb, size, fromZip = '', toZip = '' }: PricedParcel,
): QuotedParcel | FieldProblem {
  const weight = weightLb ?? 1
  if (!(weight <= maxWeight)) {
    const most = maxPricedWeight({ maxWeight, ranges: [], table: null })
    const text = `Weight must be at most ${most} lb`
    return { field: 'PackageWeight', fault: { code: 'weight_above_limit', text } }
  }
  if (!size) return missing('PackageLength', 'Length, width and height are needed', name)
  const [from, to] = [zipFive(fromZip), zipFive(toZip)]
  if (from === null) return missing('FromZipPostal', 'From ZIP is needed', name)
  if (to === null) return missing('ToZipPostal', 'To ZIP is needed', name)
  const fault = parcelFault(uid, { weight, ...size })
  if (fault)
    return { field: fault.code === 'size_too_large' ? 'PackageLength' : 'PackageWeight', fault }
  const { length, width, height } = size
  return { uid, fromZip: from, toZip: to, weight, length, width, height }
}

const missing = (field: PriceField, needed: string, service: string): FieldProblem => ({
  field,
  fault: { code: 'required', text: `${needed}: the carrier tells the price of ${service}` },
})

/** Why there is no price for now. `reason` ends without a period. */
export const pendingFault = (reason = 'The carrier is being asked for this price'): FieldFault => ({
  code: 'carrier_price_pending',
  text: `${reason}. Ask again in a moment`,
})

/** The carrier's own words, where it told why. */
export const missingFault = (words: string | null): FieldFault => ({
  code: 'carrier_price_missing',
  text:
    words === null
      ? 'The carrier did not tell a price. Try again'
      : `The carrier did not tell a price: ${words}`,
})

type PlaceOf = (zip: string) => { city: string; state: string } | undefined

/**
 * With the city and state of each ZIP code, and no person: the price does not depend on them. Carriers
 * require a name and a street; these are a form of address that the postal service itself defines.
 */
export function shipmentToQuote(parcel: QuotedParcel, placeOf: PlaceOf): Shipment {
  const { uid, fromZip, toZip, weight, length, width, height } = parcel
  return {
    serviceUid: uid,
    sender: placeAddress(fromZip, placeOf),
    receiver: placeAddress(toZip, placeOf),
    package: { length, width, height, weight, description: '', quantity: '', sku: '' },
  }
}

const placeAddress = (zip: string, placeOf: PlaceOf): StoredAddress => {
  const { city = '', state = '' } = placeOf(zip) ?? {}
  return {
    name: 'Resident',
    company: '',
    phone: '',
    street1: 'General Delivery',
    street2: '',
    city,
    state,
    zip,
    country: 'US',
  }
}
