import { useMemo, useState } from 'react'
import type { BulkDraft } from '#web/batches/bulk/drafts/draft.ts'
import { shownCell } from '#web/batches/grid-row.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { fitOf, foldableColumns, gridColumns } from './columns.ts'
import type { GridColumn, GridFit } from './columns.ts'
import type { ColumnKey } from './row-filter.ts'

/** Which columns are shown although they could be folded away. */
type ColumnChoice = { sender: boolean; empty: boolean }

const STORAGE_KEY = 'evenpost.bulk-columns'

/** Nothing is open where the browser keeps nothing, as in a private window. */
function readChoice(): ColumnChoice {
  try {
    const saved = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Partial<ColumnChoice>
    return { sender: saved.sender === true, empty: saved.empty === true }
  } catch {
    return { sender: false, empty: false }
  }
}

function saveChoice(choice: ColumnChoice): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(choice))
  } catch {
    // The choice lasts as long as the page.
  }
}

/**
 * `columns`: the shown ones, the same array until they change. `sender`: who sends all rows, null if
 * they differ. `emptyColumns`: how many are empty in every row.
 */
type GridColumns = {
  columns: readonly GridColumn[]
  fit: GridFit
  sender: string | null
  senderShown: boolean
  toggleSender: () => void
  emptyColumns: number
  emptyShown: boolean
  toggleEmpty: () => void
}

/**
 * `width` of the table in px, null before it is measured. A column that was shown stays, so that clearing its last cell
 * does not take it away.
 */
export function useGridColumns(
  { key, rows, extra, files }: BulkDraft,
  wrong: ReadonlySet<string>,
  width: number | null,
): GridColumns {
  const [choice, setChoice] = useState(readChoice)
  const [seen, setSeen] = useState<{ key: string; keys: ReadonlySet<ColumnKey> }>({
    key,
    keys: new Set(),
  })
  const isOfFiles = files.length > 1
  const all = useMemo(() => gridColumns(extra, isOfFiles), [extra, isOfFiles])
  const foldable = useMemo(() => foldableColumns(rows, all, wrong), [rows, all, wrong])
  const stays = (column: ColumnKey) => seen.key === key && seen.keys.has(column)
  const isFolded = (column: ColumnKey) =>
    (!choice.sender && foldable.sender.has(column))
    || (!choice.empty && foldable.empty.has(column) && !stays(column))
  const fit = fitOf(width, !isFolded('ToStreet2'))
  const ordered = fit === 'narrow' ? gridColumns(extra, isOfFiles, fit) : all
  const shown = ordered.filter(column => !isFolded(column.key))
  const shownKeys = shown.map(column => column.key).join(' ')
  const filled = all.filter(column => !foldable.empty.has(column.key)).map(column => column.key)
  if (seen.key !== key || filled.some(column => !seen.keys.has(column)))
    setSeen({ key, keys: new Set([...(seen.key === key ? seen.keys : []), ...filled]) })
  // oxlint-disable-next-line react/exhaustive-deps -- the keys say which columns they are
  const columns = useMemo(() => shown, [shownKeys])

  const choose = (next: ColumnChoice) => {
    setChoice(next)
    saveChoice(next)
    setSeen({ key, keys: new Set() })
  }
  return {
    columns,
    fit,
    sender: foldable.isOneSender && rows[0] ? senderText(rows[0]) : null,
    senderShown: choice.sender,
    toggleSender: () => choose({ ...choice, sender: !choice.sender }),
    emptyColumns: foldable.empty.size,
    emptyShown: choice.empty,
    toggleEmpty: () => choose({ ...choice, empty: !choice.empty }),
  }
}

/** 'Wanda Osei, Roseburg OR': who sends all rows; null if they differ. */
export function sharedSender(rows: readonly GridRow[]): string | null {
  const { isOneSender } = foldableColumns(rows, NO_COLUMNS, NONE_WRONG)
  return isOneSender && rows[0] ? senderText(rows[0]) : null
}
const NO_COLUMNS: readonly GridColumn[] = []
const NONE_WRONG: ReadonlySet<string> = new Set()

/** 'Wanda Osei, Roseburg OR'. */
function senderText(row: GridRow): string {
  const place = [shownCell(row, 'FromCity'), shownCell(row, 'FromStateProvince')]
  return [shownCell(row, 'FromSenderName'), place.filter(Boolean).join(' ')]
    .filter(Boolean)
    .join(', ')
}
