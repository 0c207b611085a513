/** What signature and Saturday delivery cost with a service, and why they are not offered. Pure. */
import type { FieldFault } from '#contract/faults.ts'
import { hasOptions, kindsOf, OPTION_KINDS, OPTION_NAMES } from '#contract/label-options.ts'
import type {
  LabelOptions,
  OptionField,
  OptionKind,
  OptionOffer as OptionOfferWire,
} from '#contract/label-options.ts'
import { cents, dollars, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { CarrierOptions } from '#server/carriers/port.ts'
import type { OptionCents } from './tables.ts'

/** On top of the service's price, or why it is not offered. */
export type OptionOffer = { price: Cents } | { reason: string }
export type OptionOffers = Record<OptionKind, OptionOffer>

type NamedService = { uid: string; name: string }

/** Of a service by its uid; a service that is not known has none. */
export type OptionsOf = (service: NamedService) => OptionOffers

const NOTHING: CarrierOptions = { signature: false, adult: false, saturday: false }
const NO_PRICES: OptionCents = { signature: null, adult: null, saturday: null }

/** `prices`: the newest of each service by its uid; `can`: of the carrier. */
export const optionsWith =
  (
    prices: ReadonlyMap<string, OptionCents>,
    can: ((uid: string) => CarrierOptions) | undefined,
  ): OptionsOf =>
  ({ uid, name }) => {
    const possible = can?.(uid) ?? NOTHING
    const priced = prices.get(uid) ?? NO_PRICES
    const offer = (kind: OptionKind): OptionOffer => {
      const price = priced[kind]
      if (possible[kind] && price !== null) return { price: cents(price) }
      return { reason: reasonOf(kind, name, possible[kind]) }
    }
    return { signature: offer('signature'), adult: offer('adult'), saturday: offer('saturday') }
  }

const reasonOf = (kind: OptionKind, service: string, isPossible: boolean): string =>
  isPossible
    ? `${OPTION_NAMES[kind]} is not for sale with ${service}`
    : `The carrier has no ${OPTION_NAMES[kind]} with ${service}`

/** Where no option has a price. */
export const NO_OFFERS: OptionsOf = optionsWith(new Map(), undefined)

/** Names of the fields that ask for an option. */
const FIELD_OF: Record<OptionKind, OptionField> = {
  signature: 'signature',
  adult: 'signature',
  saturday: 'saturday',
}

/** The fields that ask for what is not offered, with the reason. */
export type OptionFaults = Partial<Record<OptionField, FieldFault>>

/** What the options of a label cost together, or the fields that ask for what is not offered. */
export function priceLabelOptions(
  offers: OptionOffers,
  options: LabelOptions,
): { price: Cents } | { faults: OptionFaults } {
  const faults: OptionFaults = {}
  let total = 0
  for (const kind of kindsOf(options)) {
    const offer = offers[kind]
    if ('price' in offer) total += offer.price
    else faults[FIELD_OF[kind]] = { code: 'option_not_offered', text: offer.reason }
  }
  return Object.keys(faults).length > 0 ? { faults } : { price: cents(total) }
}

/** Of a label: `price` contains that of its options, which is `optionsPrice`. */
export type PriceWithOptions = { price: Cents; optionsPrice: Cents }

/** The price of a service and of the options that a label asks for beside it: all sales go through it. */
export function addOptionPrices(
  price: Cents,
  service: NamedService,
  options: LabelOptions,
  optionsOf: OptionsOf,
): PriceWithOptions | { faults: OptionFaults } {
  if (!hasOptions(options)) return { price, optionsPrice: ZERO }
  const extra = priceLabelOptions(optionsOf(service), options)
  return 'faults' in extra
    ? extra
    : { price: cents(price + extra.price), optionsPrice: extra.price }
}

/** 'Signature on delivery: $3.50, Saturday delivery: not offered' for the audit. */
export const optionPricesText = (
  prices: OptionCents,
  amountText: (amount: Cents) => string,
): string =>
  OPTION_KINDS.map(kind => {
    const price = prices[kind]
    return `${OPTION_NAMES[kind]}: ${price === null ? 'not offered' : amountText(cents(price))}`
  }).join(', ')

const offerWire = (offer: OptionOffer): OptionOfferWire =>
  'price' in offer
    ? { price: dollars(offer.price), reason: null }
    : { price: null, reason: offer.reason }

export const offersWire = ({
  signature,
  adult,
  saturday,
}: OptionOffers): Record<OptionKind, OptionOfferWire> => ({
  signature: offerWire(signature),
  adult: offerWire(adult),
  saturday: offerWire(saturday),
})
