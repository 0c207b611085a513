import type { PriceTableWire, PriceVersion } from '#contract/catalogue.ts'
import { fromDollars } from '#contract/money.ts'
import { tableText } from '#contract/price-file.ts'
import { priceRangesText } from '#contract/price-ranges.ts'

/** '48 weights for zones 1 to 8, $3.00 to $50.00, from 4 oz on'. */
export const tableWireText = ({ steps, dimDivisor }: PriceTableWire): string =>
  tableText({
    steps: steps.map(({ toOz, prices }) => ({
      toOz,
      cents: prices.map(price => (price === null ? null : fromDollars(price))),
    })),
    dimDivisor,
  })

export const versionText = ({ prices, table }: Pick<PriceVersion, 'prices' | 'table'>): string =>
  table ? tableWireText(table) : priceRangesText(prices)
