/** Checks rows before they are shown, in turns, so that the page stays usable. */
import type { AvailableService } from '#contract/catalogue.ts'
import type { BulkDraft } from '#web/batches/bulk/drafts/draft.ts'
import { shipmentKey } from '#web/batches/bulk/submit/row-prices.ts'
import { queryClient } from '#web/client/query-client.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { rowValidatorFor } from './validation.ts'

/** Takes about 10 ms. */
const ROWS_PER_TURN = 1000

const nextTurn = (): Promise<void> => new Promise(resolve => setTimeout(resolve))

/**
 * The results are kept with the rows, where the table finds them. `onProgress`: with the share of the
 * rows that are checked.
 */
export async function checkAhead(
  userId: string,
  { rows, service }: BulkDraft,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<void> {
  const services = queryClient.getQueryData<AvailableService[]>(queryKeys.services(userId))
  const validate = rowValidatorFor(services, service !== '')
  for (const [index, row] of rows.entries()) {
    validate(row)
    shipmentKey(row)
    if (index % ROWS_PER_TURN === ROWS_PER_TURN - 1) {
      onProgress(index / rows.length)
      await nextTurn()
      signal.throwIfAborted()
    }
  }
}
