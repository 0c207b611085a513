/** Keeps the measures of an edited row as those of its SKU. */
import { addSkus } from '#contract/skus.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { skusQuery } from '#web/client/queries.ts'
import { queryClient } from '#web/client/query-client.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { messageOf, send } from '#web/client/send.ts'
import { toastError } from '#web/ui/toasts.ts'
import { skuFromRow } from './sku-fill.ts'

/**
 * Creates or updates the SKU record of a row. The records are loaded first if they are not there: the row does not know the largest
 * quantity of a known SKU. A failure is shown; the row is saved either way.
 */
export async function saveSku(userId: string, row: GridRow): Promise<void> {
  if (skuFromRow(row) === null) return
  try {
    const { SkuData } = await queryClient.fetchQuery({
      ...skusQuery(userId),
      staleTime: Infinity,
    })
    const record = skuFromRow(
      row,
      SkuData.find(({ sku }) => sku === row.skuNumber),
    )
    if (record === null) return
    await send(addSkus, { params: { userId }, body: { parsedData: [record] } })
    await queryClient.invalidateQueries({ queryKey: queryKeys.skus(userId) })
  } catch (reason) {
    toastError(messageOf(reason, texts.skuFailed))
  }
}
