import { useDeferredValue, useMemo } from 'react'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { groupingsOf, optionsOf } from './combine.ts'
import type { GroupingOption } from './combine.ts'
import { useTablePrice } from './use-table-price.ts'

/**
 * How many labels a line, an order and an address each make of the rows, with the server's prices.
 * Prices of other groupings are asked for only where their weights differ.
 */
export function useGroupingOptions(
  userId: string,
  rows: readonly GridRow[],
  skus: ReadonlyMap<string, SkuMeasures>,
): GroupingOption[] {
  const deferredRows = useDeferredValue(rows)
  const groupings = useMemo(() => groupingsOf(deferredRows, skus), [deferredRows, skus])
  const all = useMemo(() => [...new Set(groupings.flatMap(grouping => grouping.rows))], [groupings])
  const { priceOf } = useTablePrice(userId, all)
  return useMemo(() => optionsOf(groupings, row => priceOf(row).cents), [groupings, priceOf])
}
