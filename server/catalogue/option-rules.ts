/** What signature and Saturday delivery cost with a service, and why they are not offered. Pure. */
import { kindsOf, OPTION_KINDS, OPTION_NAMES } from '#contract/label-options.ts'
import type { LabelOptions, OptionKind } from '#contract/label-options.ts'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { Fault } from '#contract/refusals.ts'
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

/** Names of the fields that ask for an option. */
const FIELD_OF: Record<OptionKind, string> = {
  signature: 'signature',
  adult: 'signature',
  saturday: 'saturday',
}

/** What the options of a label cost together, or the fields that ask for what is not offered. */
export function priceLabelOptions(
  offers: OptionOffers,
  options: LabelOptions,
): { price: Cents } | { faults: Record<string, Fault> } {
  const faults: Record<string, Fault> = {}
  let total = 0
  for (const kind of kindsOf(options)) {
    const offer = offers[kind]
    if ('price' in offer) total += offer.price
    else faults[FIELD_OF[kind]] = { code: 'option_not_offered', text: offer.reason }
  }
  return Object.keys(faults).length > 0 ? { faults } : { price: cents(total) }
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
