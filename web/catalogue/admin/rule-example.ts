/** A few weights with their cost and the price that a rule makes of it. */
import { fromDollars } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { priceByRule } from '#contract/price-rules.ts'
import type { PriceRule } from '#contract/price-rules.ts'
import type { ServiceCosts } from '#contract/price-tables.ts'
import { priceParcel, zonesOf } from '#contract/pricing.ts'
import type { PriceTable } from '#contract/pricing.ts'

const EXAMPLE_POUNDS = [1, 2, 5, 20]

/** `zone`: null where the cost is the same for all. */
export type RuleExample = { pounds: number; zone: number | null; cost: Cents; price: Cents }

/** With zones, those of the nearest and of the farthest one by turns. */
export function ruleExamples(rule: PriceRule, costs: ServiceCosts): RuleExample[] {
  const table = tableOf(costs)
  const zones = table ? zonesOf(table).filter(zone => zone > 0) : []
  const service = {
    name: costs.uid,
    maxWeight: Infinity,
    table,
    ranges: costs.prices.map(({ fromWeight, toWeight, price }) => ({
      from: fromWeight,
      to: toWeight,
      cents: fromDollars(price)!,
    })),
  }
  return EXAMPLE_POUNDS.flatMap((pounds, at) => {
    const zone = zones.at(at % 2 === 0 ? 0 : -1) ?? null
    const parcel = { weightLb: pounds, fromZip: '10001', toZip: '90210' }
    const found = priceParcel(service, parcel, () => zone)
    if (!('price' in found)) return []
    return { pounds, zone, cost: found.price, price: priceByRule(rule, found.price) }
  })
}

const tableOf = ({ table }: ServiceCosts): PriceTable | null =>
  table && {
    dimDivisor: table.dimDivisor,
    steps: table.steps.map(({ toOz, prices }) => ({
      toOz,
      cents: prices.map(price => (price === null ? null : fromDollars(price))),
    })),
  }
