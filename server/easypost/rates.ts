/** Rates of a shipment: the services that its user may buy, at the user's prices. Pure. */
import { hasOptions } from '#contract/label-options.ts'
import type { LabelOptions } from '#contract/label-options.ts'
import type { Cents } from '#contract/money.ts'
import { CARRIER_NAME, SERVICE_LEVELS } from '#server/carriers/easypost/request.ts'
import { addOptionPrices, priceLabelOptions } from '#server/catalogue/option-rules.ts'
import { isAvailable, quoteEachParcel } from '#server/catalogue/rules.ts'
import type { PriceList } from '#server/catalogue/rules.ts'
import { refuseFields } from '#server/platform/http/refusal.ts'

/** `key`: a UUID. */
export type StoredRate = { key: string; uid: string; name: string; cents: Cents }

/**
 * `unavailable`: services for sale that do not take this parcel. `isClosed`: it may have been bought
 * after a backup that was restored, and is neither rated nor bought again.
 */
export type StoredRates = {
  offers: StoredRate[]
  unavailable: { uid: string; reason: string }[]
  isClosed?: true
}

/** Inches and pounds. */
export type RatedParcel = {
  length: number
  width: number
  height: number
  weight: number
  fromZip?: string
  toZip?: string
}

/** Rates contain the prices of `asked`. `newKey` returns another UUID at each call. */
export function rateParcel(
  prices: PriceList,
  parcel: RatedParcel,
  asked: LabelOptions,
  newKey: () => string,
): StoredRates {
  const services = prices.services.filter(isAvailable)
  const quotes = quoteEachParcel(
    prices,
    services.map(({ uid }) => ({ service: uid, ...parcel })),
  )
  const rates: StoredRates = { offers: [], unavailable: [] }
  services.forEach(({ uid, name }, at) => {
    const quote = quotes[at]!
    if ('reason' in quote) {
      rates.unavailable.push({ uid, reason: `${name}: ${quote.reason}` })
      return
    }
    const priced = addOptionPrices(quote.price, { uid, name }, asked, prices.optionsOf)
    if ('faults' in priced)
      rates.unavailable.push({ uid, reason: Object.values(priced.faults)[0]!.text })
    else rates.offers.push({ key: newKey(), uid, name, cents: priced.price })
  })
  return rates
}

/** Throws Refusal for an option that no service of the user has. */
export function assertOptionsSold(prices: PriceList, asked: LabelOptions): void {
  if (!hasOptions(asked)) return
  const services = prices.services.filter(isAvailable)
  const faults = services.map(service => priceLabelOptions(prices.optionsOf(service), asked))
  const [first] = faults
  if (!first || !('faults' in first) || !faults.every(one => 'faults' in one)) return
  throw refuseFields(
    Object.fromEntries(
      Object.entries(first.faults).map(([field, fault]) => [OPTION_FIELDS[field]!, fault]),
    ),
  )
}

const OPTION_FIELDS: Record<string, string> = {
  signature: 'options.delivery_confirmation',
  saturday: 'options.saturday_delivery',
}

/** EasyPost's names of carrier and service, such as 'USPS' and 'GroundAdvantage'. */
export function namesOf(uid: string): { carrier: string; service: string } {
  const known = (SERVICE_LEVELS as Record<string, string>)[uid]
  if (known !== undefined) return { carrier: CARRIER_NAME, service: known }
  const [carrier = '', level = uid] = uid.split(':', 2)
  return {
    carrier: carrier.toUpperCase(),
    service: level
      .split(/[^A-Za-z0-9]+/)
      .map(word => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase())
      .join(''),
  }
}

const isNamed = ({ uid, name }: { uid: string; name: string }, service: string): boolean => {
  const wanted = service.trim().toLowerCase()
  return [namesOf(uid).service, name, uid].some(one => one.toLowerCase() === wanted)
}

/** The rate of a service by EasyPost's name, our name or our uid, without letter case. */
export const findRateOf = ({ offers }: StoredRates, service: string): StoredRate | undefined =>
  offers.find(rate => isNamed(rate, service))

/** Why a service that is for sale has no rate; named like in `findRateOf`. */
export const reasonWithout = ({ unavailable }: StoredRates, service: string): string | undefined =>
  unavailable.find(({ uid, reason }) =>
    isNamed({ uid, name: reason.slice(0, reason.indexOf(': ')) }, service),
  )?.reason
