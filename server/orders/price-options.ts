/** One parcel priced with every service of a user, and many parcels as one total for each. Pure. */
import type { FieldCode } from '#contract/faults.ts'
import { cents, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { OptionOffers } from '#server/catalogue/option-rules.ts'
import { isAvailable, quoteEachParcel } from '#server/catalogue/rules.ts'
import type { ParcelInput, PriceList, Service } from '#server/catalogue/rules.ts'

/** Without a service: it is priced with each service of the user. */
export type Parcel = Omit<ParcelInput, 'service'>

export type Reason = { code: FieldCode; text: string }

export type PricedService = { service: Service; price: Cents | null; reason: Reason | null }

const servicesOf = ({ services }: PriceList): Service[] => services.filter(isAvailable)

function priceWith(prices: PriceList, service: Service, parcel: Parcel): PricedService {
  const [quote] = quoteEachParcel(prices, [{ ...parcel, service: service.uid }])
  return 'price' in quote!
    ? { service, price: quote.price, reason: null }
    : { service, price: null, reason: { code: quote!.code, text: quote!.reason } }
}

/** All services that the user may buy, in the order of `prices`. */
export const parcelOptions = (
  prices: PriceList,
  parcel: Parcel,
): (PricedService & { offers: OptionOffers })[] =>
  servicesOf(prices).map(service => ({
    ...priceWith(prices, service, parcel),
    offers: prices.optionsOf(service),
  }))

/** `labels`: parcels that the service takes; `reason`: why not, of the first other one. */
export type ServiceTotal = {
  service: Service
  total: Cents
  labels: number
  reason: Reason | null
}

export type ParcelTotals = {
  services: ServiceTotal[]
  /** `choices`: for each parcel the place of its cheapest service, or null. */
  cheapest: { total: Cents; labels: number; choices: (number | null)[] }
}

/** `at`: the place of the service. */
type Choice = { at: number; price: Cents }

/** Adds up parcels, `count` of each, page by page. Of two equal prices the faster service counts. */
export function createTotals(
  prices: PriceList,
  latestDayOf: (uid: string) => number,
): { add(parcels: readonly { parcel: Parcel; count: number }[]): void; totals: ParcelTotals } {
  const services = servicesOf(prices).map((service): ServiceTotal => {
    return { service, total: ZERO, labels: 0, reason: null }
  })
  const totals: ParcelTotals = { services, cheapest: { total: ZERO, labels: 0, choices: [] } }

  function addOne(parcel: Parcel, count: number): void {
    let best: Choice | null = null
    for (const [at, row] of services.entries()) {
      const { price, reason } = priceWith(prices, row.service, parcel)
      if (price === null) {
        row.reason ??= reason
        continue
      }
      row.total = cents(row.total + price * count)
      row.labels += count
      if (best === null || isBetter({ at, price }, best)) best = { at, price }
    }
    totals.cheapest.choices.push(best?.at ?? null)
    if (best === null) return
    totals.cheapest.total = cents(totals.cheapest.total + best.price * count)
    totals.cheapest.labels += count
  }

  const dayOf = (at: number): number => latestDayOf(services[at]!.service.uid)
  const isBetter = (one: Choice, other: Choice): boolean =>
    one.price < other.price || (one.price === other.price && dayOf(one.at) < dayOf(other.at))

  return {
    totals,
    add: parcels => parcels.forEach(({ parcel, count }) => addOne(parcel, count)),
  }
}
