/** Checks rows before they are shown, in turns, so that the page stays usable. */
import type { AvailableService } from '#contract/catalogue.ts'
import type { BulkDraft } from '#web/batches/bulk/drafts/draft.ts'
import { foldableColumns } from '#web/batches/bulk/grid/columns.ts'
import { shipmentKey } from '#web/batches/bulk/submit/row-prices.ts'
import { queryClient } from '#web/client/query-client.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { faultKeys } from './fault-causes.ts'
import { inTurns } from './in-turns.ts'
import { rowValidatorFor } from './validation.ts'

const NONE: ReadonlySet<string> = new Set()

/**
 * The results are kept with the rows, where the table finds them. `onProgress`: with the share of the
 * rows that are checked.
 */
export function checkAhead(
  userId: string,
  { rows, service }: BulkDraft,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<void> {
  const services = queryClient.getQueryData<AvailableService[]>(queryKeys.services(userId))
  const validate = rowValidatorFor(services, service !== '')
  return new Promise((resolve, reject) => {
    let checked = 0
    const stop = inTurns(
      rows,
      part => {
        if (signal.aborted) {
          // The turn that runs now ends first.
          queueMicrotask(() => stop())
          return reject(signal.reason)
        }
        for (const row of part) {
          faultKeys(row, validate(row))
          shipmentKey(row)
        }
        foldableColumns(part, [], NONE)
        checked += part.length
        onProgress(checked / rows.length)
      },
      resolve,
    )
  })
}
