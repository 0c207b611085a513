import { useCallback } from 'react'
import { commitDraft, useBulk } from '#web/batches/bulk/drafts/bulk-store.ts'
import { withSplit } from '#web/batches/bulk/grid/row-operations.ts'
import { gridTexts } from '#web/batches/bulk/grid/texts.ts'
import type { BulkTableState } from '#web/batches/bulk/grid/use-bulk-table.ts'
import { useBoughtHere } from '#web/batches/bulk/repeats/use-bought-here.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { warningTexts } from './texts.ts'
import { useRowWarnings } from './use-row-warnings.ts'
import { takeSuggestions, warningKey } from './warnings.ts'
import type { WarningGroup } from './warnings.ts'

/** The warnings of the table, and what their buttons do. */
export function useWarnings(userId: string, table: BulkTableState) {
  const { draft, skus } = table
  const boughtBefore = useBoughtHere(userId, draft.key, draft.rows.length > 0)
  const { warn, groups, rowCount } = useRowWarnings(draft.rows, skus, boughtBefore)

  const take = (group: WarningGroup) => {
    const before = useBulk.getState().draft
    const rows = takeSuggestions(before.rows, group.key, warn)
    const count = rows.filter((row, index) => row !== before.rows[index]).length
    commitDraft({ ...before, rows, edited: true }, warningTexts.taken(count).replace(/\.$/, ''))
    toastSuccess(warningTexts.taken(count))
  }
  const split = (group: WarningGroup) => {
    const before = useBulk.getState().draft
    const ids = new Set(group.rows.flatMap(index => before.rows[index]?.id ?? []))
    const next = withSplit(before, ids, skus)
    if (next === before) return toastError(gridTexts.cannotSplit)
    commitDraft(next, warningTexts.split)
  }
  const keysOf = useCallback((row: GridRow) => warn(row).map(warningKey), [warn])
  return { warn, keysOf, groups, rowCount, take, split }
}
