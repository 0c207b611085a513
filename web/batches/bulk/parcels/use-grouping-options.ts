import { useEffect, useMemo, useState } from 'react'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import { inTurns, stepsInTurns } from '#web/batches/bulk/checks/in-turns.ts'
import { useTablePrice } from '#web/batches/bulk/submit/use-table-price.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { groupingSteps, optionsOf, takeAllApart } from './combine.ts'
import type { GroupedRows, GroupingOption } from './combine.ts'
import { receiverOf } from './row-keys.ts'

const NO_GROUPINGS: GroupedRows[] = []

/**
 * How many labels a line, an order and an address each make of the rows, with the server's prices;
 * empty until that is counted. Prices of other groupings are asked for only where their weights
 * differ.
 */
export function useGroupingOptions(
  userId: string,
  rows: readonly GridRow[],
  skus: ReadonlyMap<string, SkuMeasures>,
): GroupingOption[] {
  const [groupings, setGroupings] = useState(NO_GROUPINGS)
  useEffect(() => {
    let stopCombining = () => {}
    const stop = inTurns(
      takeAllApart(rows),
      part => part.forEach(receiverOf),
      () => (stopCombining = stepsInTurns(groupingSteps(rows, skus), setGroupings)),
    )
    return () => {
      stop()
      stopCombining()
    }
  }, [rows, skus])
  const all = useMemo(() => [...new Set(groupings.flatMap(grouping => grouping.rows))], [groupings])
  const { priceOf } = useTablePrice(userId, all)
  return useMemo(() => optionsOf(groupings, priceOf), [groupings, priceOf])
}
