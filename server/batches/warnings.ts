import type { BatchWarning } from '#contract/batches.ts'
import { createOrderCount, receiverKey } from '#contract/row-address.ts'
import { rowWarnings } from '#contract/row-warnings.ts'
import { emptyRow } from '#contract/rows.ts'
import type { BulkRow } from '#contract/rows.ts'
import type { ZipPlaces } from '#contract/zip-places.ts'

/** Listed of one bulk order. */
const MAX_WARNINGS = 1_000

export type BatchWarnings = { warnings: BatchWarning[]; warningCount: number }

/** Collects the warnings of submitted rows, a page at a time; `before`: rows of earlier pages. */
export function createWarnings(places: ZipPlaces | undefined): {
  add(rows: readonly BulkRow[], before: number): void
  found(): BatchWarnings
} {
  const warnings: BatchWarning[] = []
  const receivers: string[] = []
  const orders = createOrderCount()
  let count = 0
  const note = (row: number, found: BulkRow, sameReceiver?: number): void => {
    for (const { field, code, message } of rowWarnings(
      found,
      sameReceiver === undefined ? places : undefined,
      { sameReceiver },
    )) {
      count++
      if (warnings.length < MAX_WARNINGS) warnings.push({ row, field, code, message })
    }
  }
  return {
    add(rows, before) {
      for (const [index, row] of rows.entries()) {
        note(before + index + 1, row)
        const receiver = receiverKey(row)
        receivers.push(receiver)
        orders.add(receiver, row.orderId)
      }
    },
    found() {
      for (const [index, receiver] of receivers.entries()) {
        const sameReceiver = orders.of(receiver)
        if (sameReceiver > 1) note(index + 1, emptyRow(), sameReceiver)
      }
      return { warnings: warnings.toSorted((a, b) => a.row - b.row), warningCount: count }
    },
  }
}
