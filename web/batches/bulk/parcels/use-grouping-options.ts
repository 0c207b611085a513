import { useEffect, useMemo, useState } from 'react'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import { inTurns, stepsInTurns } from '#web/batches/bulk/checks/in-turns.ts'
import { useSettled } from '#web/batches/bulk/checks/use-settled.ts'
import { useTablePrice } from '#web/batches/bulk/submit/use-table-price.ts'
import type { TablePrice } from '#web/batches/bulk/submit/use-table-price.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { groupingSteps, optionsOf, takeAllApart } from './combine.ts'
import type { GroupedRows, GroupingOption } from './combine.ts'
import { receiverOf } from './row-keys.ts'

const NO_ROWS: readonly GridRow[] = []
const NO_GROUPINGS: GroupedRows[] = []
const ASKS_FOR_ALL = () => true
/** Combining 10,000 rows takes about 50 ms, which no edit should wait for. */
const SETTLED_MS = 400

/**
 * How many labels a line, an order and an address each make of the rows, with the server's prices;
 * empty until that is counted. Only shipments that the table does not have are asked for beside its
 * `price`.
 */
export function useGroupingOptions(
  userId: string,
  rows: readonly GridRow[],
  skus: ReadonlyMap<string, SkuMeasures>,
  price: TablePrice,
): GroupingOption[] {
  const settled = useSettled(rows, NO_ROWS, SETTLED_MS)
  const asksFor = useSettled(price.asksFor, ASKS_FOR_ALL, SETTLED_MS)
  const [groupings, setGroupings] = useState(NO_GROUPINGS)
  useEffect(() => {
    let stopCombining = () => {}
    const stop = inTurns(
      takeAllApart(settled),
      part => part.forEach(receiverOf),
      () => (stopCombining = stepsInTurns(groupingSteps(settled, skus), setGroupings)),
    )
    return () => {
      stop()
      stopCombining()
    }
  }, [settled, skus])
  const { priceOf } = price
  const others = useMemo(
    () => groupings.flatMap(grouping => grouping.rows.filter(row => !asksFor(row))),
    [groupings, asksFor],
  )
  const { priceOf: otherPriceOf } = useTablePrice(userId, others, price.question)
  return useMemo(
    () => optionsOf(groupings, row => (asksFor(row) ? priceOf(row) : otherPriceOf(row))),
    [groupings, asksFor, priceOf, otherPriceOf],
  )
}
