/** Where prices are below what the carrier charges, by the costs that the operator uploaded. Pure. */
import { cents, usd } from './money.ts'
import { OUNCES_PER_POUND, zonesOf } from './pricing.ts'
import type { PriceStep, Prices } from './pricing.ts'

/** `most`: the largest difference in cents; it is at `toOz` ounces, to this zone, 0 for any. */
export type BelowCost = { most: number; toOz: number; zone: number }

/** Null if every known price is at least its known cost. Sizes are left out: costs and prices may count them differently. */
export function belowCost(prices: Prices, costs: Prices): BelowCost | null {
  const [priced, charged] = [stepsOf(prices), stepsOf(costs)]
  const zones = zonesOfBoth(priced, charged)
  const ends = new Set([...priced, ...charged].map(({ toOz }) => toOz))
  let found: BelowCost | null = null
  for (const toOz of [...ends].toSorted((a, b) => a - b)) {
    const [price, cost] = [stepAt(priced, toOz), stepAt(charged, toOz)]
    const losses = zones.map(zone => ({
      zone,
      loss: centsFor(cost, zone, 0) - centsFor(price, zone, Infinity),
    }))
    const worst = losses.reduce((most, one) => (one.loss > most.loss ? one : most))
    if (worst.loss > (found?.most ?? 0)) found = { most: worst.loss, toOz, zone: worst.zone }
  }
  return found
}

/** 'The price of USPS Ground Advantage is below your uploaded cost by up to $1.20 at 5 lb to zone 8'. */
export const belowCostText = (service: string, { most, toOz, zone }: BelowCost): string =>
  `The price of ${service} is below your uploaded cost by up to ${usd(cents(most))} at `
  + `${toOz < OUNCES_PER_POUND ? `${toOz} oz` : `${toOz / OUNCES_PER_POUND} lb`}${zone === 0 ? '' : ` to zone ${zone}`}`

const stepsOf = ({ ranges, table }: Prices): PriceStep[] =>
  table?.steps ?? ranges.map(range => ({ toOz: range.to * OUNCES_PER_POUND, cents: [range.cents] }))

/** Those that either of them names; any zone alone where neither does. */
function zonesOfBoth(...both: PriceStep[][]): number[] {
  const named = new Set(both.flatMap(steps => zonesOf({ steps, dimDivisor: null })))
  if (named.size > 1) named.delete(0)
  return named.size > 0 ? [...named] : [0]
}

/** The lightest step that takes the weight. */
const stepAt = (steps: readonly PriceStep[], ounces: number): PriceStep | undefined =>
  steps.find(({ toOz }) => ounces <= toOz)

const centsFor = (step: PriceStep | undefined, zone: number, unknown: number): number =>
  step?.cents[zone] ?? step?.cents[0] ?? unknown
