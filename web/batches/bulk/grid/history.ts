/**
 * One change of the table, to be undone and done again. It keeps the rows that differ, so that the
 * number of steps needs no limit.
 */

import type { BulkDraft } from '#web/batches/bulk/drafts/draft.ts'
import type { GridRow } from '#web/batches/grid-row.ts'

/** From row `at` on, `before` is replaced by `after`. */
type RowSplice = { at: number; before: GridRow[]; after: GridRow[] }
type RowSwap = { index: number; before: GridRow; after: GridRow }
type DraftRest = Omit<BulkDraft, 'rows'>

/** `name` is what the change did, after Undo or Redo: 'paste of 12 cells'. */
export type TableChange = {
  name: string
  before: DraftRest
  after: DraftRest
  swaps: RowSwap[]
  splice: RowSplice | null
}

/** What turns `before` into `after`. */
export function tableChange(before: BulkDraft, after: BulkDraft, name: string): TableChange {
  const { rows: old, ...beforeRest } = before
  const { rows: next, ...afterRest } = after
  const change = { name, before: beforeRest, after: afterRest }
  let start = 0
  while (start < old.length && start < next.length && old[start] === next[start]) start += 1
  let tail = 0
  const most = Math.min(old.length, next.length) - start
  while (tail < most && old[old.length - 1 - tail] === next[next.length - 1 - tail]) tail += 1
  if (old.length !== next.length) {
    const splice = {
      at: start,
      before: old.slice(start, old.length - tail),
      after: next.slice(start, next.length - tail),
    }
    return { ...change, swaps: [], splice }
  }
  const swaps: RowSwap[] = []
  for (let index = start; index < old.length - tail; index += 1) {
    if (old[index] !== next[index]) swaps.push({ index, before: old[index]!, after: next[index]! })
  }
  return { ...change, swaps, splice: null }
}

function applied(
  change: TableChange,
  current: BulkDraft,
  from: 'before' | 'after',
  to: 'before' | 'after',
): BulkDraft {
  const { swaps, splice } = change
  const rows = splice
    ? [
        ...current.rows.slice(0, splice.at),
        ...splice[to],
        ...current.rows.slice(splice.at + splice[from].length),
      ]
    : [...current.rows]
  for (const swap of swaps) rows[swap.index] = swap[to]
  // A submission may have arrived under this id, so it stays.
  const { orderId, lost, part } = current
  return { ...change[to], orderId, lost, part, rows }
}

export const undoChange = (change: TableChange, current: BulkDraft): BulkDraft =>
  applied(change, current, 'after', 'before')

export const redoChange = (change: TableChange, current: BulkDraft): BulkDraft =>
  applied(change, current, 'before', 'after')
