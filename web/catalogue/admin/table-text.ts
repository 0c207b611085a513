import type { PriceTableWire, PriceVersion } from '#contract/catalogue.ts'
import { fromDollars } from '#contract/money.ts'
import { tableText } from '#contract/price-file.ts'
import { priceRangesSummary } from '#contract/price-ranges.ts'
import { ruleFrom, ruleText } from '#contract/price-rules.ts'

/** '48 weights for zones 1 to 8, $3.00 to $50.00, from 4 oz on'. */
export const tableWireText = ({ steps, dimDivisor }: PriceTableWire): string =>
  tableText({
    steps: steps.map(({ toOz, prices }) => ({
      toOz,
      cents: prices.map(price => (price === null ? null : fromDollars(price))),
    })),
    dimDivisor,
  })

export function versionText({
  prices,
  table,
  rule,
}: Pick<PriceVersion, 'prices' | 'table' | 'rule'>): string {
  const text = table ? tableWireText(table) : priceRangesSummary(prices)
  return rule ? `${ruleText(ruleFrom(rule))}: ${text}` : text
}
