import { seenTexts } from '#web/batches/bulk/checks/texts.ts'
import { commitDraft, useBulk } from '#web/batches/bulk/drafts/bulk-store.ts'
import { withOnlyRows } from '#web/batches/bulk/drafts/draft.ts'
import type { BulkTableState } from '#web/batches/bulk/grid/use-bulk-table.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { toastSuccess } from '#web/ui/toasts.ts'
import { leaveOut, leftOutCounts } from './seen.ts'
import type { SeenState } from './use-seen-before.ts'

/** Takes lines that already have a label out of the table. */
export function useLeaveOut(table: BulkTableState, seen: SeenState) {
  return (ids: ReadonlySet<GridRow['id']>) => {
    const { draft } = useBulk.getState()
    const labels = seen.seen?.labels
    const rows = leaveOut(draft.rows, ids, draft.grouping, table.skus, labels)
    commitDraft({ ...withOnlyRows(draft, rows), edited: true }, seenTexts.change)
    seen.dismiss()
    toastSuccess(seenTexts.leftOut(leftOutCounts(draft.rows, rows)))
  }
}
