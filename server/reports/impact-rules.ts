/** Who pays what by new prices, over labels that were bought. Pure. */
import type { Cents } from '#contract/money.ts'
import { cents } from '#contract/money.ts'
import { isLive, priceByRule } from '#contract/price-rules.ts'
import type { PriceRule } from '#contract/price-rules.ts'
import { billedOunces, OUNCES_PER_POUND, priceParcel } from '#contract/pricing.ts'
import type { PricedParcel, PricedService, PriceOutcome, ZoneLookup } from '#contract/pricing.ts'
import type { BoughtLabel } from './impact-store.ts'

/** In cents. `unsold`: labels that the new prices sell no more; they are in no sum. */
export type ImpactSums = { labels: number; before: number; after: number; unsold: number }

/** In ounces, `fromOz` exclusive. `cost`: of the `costed` labels whose cost is known. */
type StepSums = {
  fromOz: number
  toOz: number
  labels: number
  after: number
  costedAfter: number
  cost: number
  costed: number
}

export type ServiceSums = ImpactSums & {
  costedBefore: number
  costedAfter: number
  cost: number
  costed: number
  steps: StepSums[]
}

type RuledService = PricedService & { rule?: PriceRule | null }
export type NewPrices = { before: RuledService; after: RuledService }

export type Impact = {
  services: Map<string, ServiceSums>
  customers: Map<number, ImpactSums>
  totals: ImpactSums
}

const noSums = (): ImpactSums => ({ labels: 0, before: 0, after: 0, unsold: 0 })

export function newImpact(changes: ReadonlyMap<string, NewPrices>): Impact {
  const services = [...changes].map(([uid, { after }]) => {
    const sums = { ...noSums(), costedBefore: 0, costedAfter: 0, cost: 0, costed: 0 }
    return [uid, { ...sums, steps: stepsOf(after) }] as const
  })
  return { services: new Map(services), customers: new Map(), totals: noSums() }
}

function stepsOf({ ranges, table }: PricedService): StepSums[] {
  const ends = table?.steps.map(({ toOz }) => toOz) ?? ranges.map(({ to }) => to * OUNCES_PER_POUND)
  return ends.map((toOz, at) => ({
    fromOz: ends[at - 1] ?? 0,
    toOz,
    labels: 0,
    after: 0,
    costedAfter: 0,
    cost: 0,
    costed: 0,
  }))
}

/** A label that the prices of now do not sell any more counts with what it was charged. */
export function addToImpact(
  impact: Impact,
  changes: ReadonlyMap<string, NewPrices>,
  label: BoughtLabel,
  zoneOf: ZoneLookup | null,
): void {
  const { before, after } = changes.get(label.uid)!
  const parcel = {
    weightLb: label.weight,
    size: { length: label.length, width: label.width, height: label.height },
    fromZip: label.fromZip,
    toZip: label.toZip,
  }
  const [old, next] = [priceOf(before), priceOf(after)]
  // What the carrier would have quoted is not known of a label without a cost.
  if (next === null) return
  const service = impact.services.get(label.uid)!
  const customer = impact.customers.get(label.userId) ?? noSums()
  impact.customers.set(label.userId, customer)
  const sums = [service, customer, impact.totals]
  if ('fault' in next) {
    for (const one of sums) one.unsold++
    return
  }
  const oldPrice = old && 'price' in old ? old.price : label.charged
  for (const one of sums) {
    one.labels++
    one.before += oldPrice
    one.after += next.price
  }
  const ounces = billedOunces(after, parcel)
  // A live service has no steps.
  const step = service.steps.find(({ toOz }) => ounces <= toOz)
  if (step) {
    step.labels++
    step.after += next.price
  }
  if (label.cost === null) return
  service.costedBefore += oldPrice
  for (const one of step ? [service, step] : [service]) {
    one.costedAfter += next.price
    one.cost += label.cost
    one.costed++
  }

  function priceOf(priced: RuledService): PriceOutcome | null {
    const { rule = null } = priced
    if (!rule || !isLive({ rule })) return priceParcel(priced, parcel as PricedParcel, zoneOf)
    return label.cost === null ? null : { price: priceByRule(rule, cents(label.cost)) }
  }
}

/** Null where no cost is known. */
export const marginOf = (
  price: number,
  { cost, costed }: { cost: number; costed: number },
): Cents | null => (costed === 0 ? null : cents(price - cost))

/** Those with the largest difference first. */
export const byDifference = (customers: ReadonlyMap<number, ImpactSums>): [number, ImpactSums][] =>
  [...customers].toSorted(
    ([a, one], [b, other]) =>
      Math.abs(other.after - other.before) - Math.abs(one.after - one.before)
      || other.unsold - one.unsold
      || a - b,
  )
