/** What the form asks for beside the service, as far as the chosen service sells it. Pure. */
import { kindsOf, NO_OPTIONS } from '#contract/label-options.ts'
import type { LabelOptions, OptionKind } from '#contract/label-options.ts'
import { fromDollars, dollars, sum } from '#contract/money.ts'
import type { ServiceOption } from '#contract/price-options.ts'

/** The boxes of the form. `adult` counts with `signature` alone. */
export type TickedOptions = { signature: boolean; adult: boolean; saturday: boolean }

export const NOTHING_TICKED: TickedOptions = { signature: false, adult: false, saturday: false }

/** What is ordered: what the service does not sell is left out. */
export function orderedOptions(
  { signature, adult, saturday }: TickedOptions,
  service: ServiceOption | undefined,
): LabelOptions {
  if (!service) return NO_OPTIONS
  const sells = (kind: OptionKind) => service[kind].price !== null
  const plain = sells('signature') ? 'signature' : 'none'
  const signed = adult && sells('adult') ? 'adult' : plain
  return { signature: signature ? signed : 'none', saturday: saturday && sells('saturday') }
}

/** Service and options together, in dollars; null where the service does not take the parcel. */
export function wholePrice(ticked: TickedOptions, service: ServiceOption): number | null {
  if (service.price === null) return null
  const parts = kindsOf(orderedOptions(ticked, service)).map(kind => service[kind].price!)
  return dollars(sum([service.price, ...parts].map(part => fromDollars(part)!)))
}

/** Whether something is ticked that the service does not sell. */
export function leavesOut(
  ticked: TickedOptions,
  service: ServiceOption,
): { signature: boolean; saturday: boolean } {
  const ordered = orderedOptions(ticked, service)
  return {
    signature: ticked.signature && ordered.signature === 'none',
    saturday: ticked.saturday && !ordered.saturday,
  }
}

/** The boxes of a label that was ordered before. */
export const tickedFrom = (order: Partial<LabelOptions>): TickedOptions => ({
  signature: (order.signature ?? 'none') !== 'none',
  adult: order.signature === 'adult',
  saturday: order.saturday ?? false,
})

/** The lowest price of a service that takes the parcel, in dollars; null where none does. */
export function lowestOffer(
  services: readonly ServiceOption[],
  ticked: TickedOptions,
): { price: number; service: string } | null {
  const offers = services.flatMap(service => {
    const price = wholePrice(ticked, service)
    return price === null ? [] : [{ price, service: service.name }]
  })
  return offers.toSorted((a, b) => a.price - b.price)[0] ?? null
}

/**
 * The cheapest service that takes the parcel with all that is ticked, and the one that arrives
 * first; none among fewer than two.
 */
export function bestServices(
  services: readonly ServiceOption[],
  ticked: TickedOptions,
): { cheapest: string | null; fastest: string | null } {
  const fitting = services.flatMap(service => {
    const price = wholePrice(ticked, service)
    const { deliveryDays: days } = service
    const missing = leavesOut(ticked, service)
    return price === null || missing.signature || missing.saturday
      ? []
      : [{ uid: service.uid, price, from: days?.from, to: days?.to }]
  })
  if (fitting.length < 2) return { cheapest: null, fastest: null }
  const byPrice = fitting.toSorted((a, b) => a.price - b.price)
  const byDays = fitting
    .filter(({ to }) => to !== undefined)
    .toSorted((a, b) => a.to! - b.to! || a.from! - b.from! || a.price - b.price)
  return {
    cheapest: byPrice[0]!.price < byPrice[1]!.price ? byPrice[0]!.uid : null,
    fastest: byDays[0]?.uid ?? null,
  }
}
