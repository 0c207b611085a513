import type { PriceTableWire, PriceVersion } from '#contract/catalogue.ts'
import { tableSummary } from '#contract/price-file.ts'
import { priceRangesText } from '#contract/price-ranges.ts'
import { OUNCES_PER_POUND } from '#contract/pricing.ts'

/** '48 weights for zones 1 to 8, from 4 oz on'. */
export const tableWireText = ({ steps, dimDivisor }: PriceTableWire): string =>
  tableSummary({
    weights: steps.length,
    lightestOz: steps[0]?.toOz ?? OUNCES_PER_POUND,
    zones: (steps[0]?.prices ?? []).flatMap((price, zone) => (price === null ? [] : zone)),
    dimDivisor,
  })

/** In dollars. */
export function priceSpan({ steps }: PriceTableWire): { lowest: number; highest: number } {
  const prices = steps.flatMap(step => step.prices.filter(price => price !== null))
  return { lowest: Math.min(...prices), highest: Math.max(...prices) }
}

export const versionText = ({ prices, table }: Pick<PriceVersion, 'prices' | 'table'>): string =>
  table ? tableWireText(table) : priceRangesText(prices)
