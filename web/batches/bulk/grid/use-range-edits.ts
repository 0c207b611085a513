import { rowsCsv } from '#contract/faulty-rows.ts'
import type { OptionCells } from '#contract/label-options.ts'
import type { RowWarning } from '#contract/row-warnings.ts'
import type { RowField } from '#contract/rows.ts'
import { commitDraft, useBulk } from '#web/batches/bulk/drafts/bulk-store.ts'
import type { BulkDraft, PasteResult } from '#web/batches/bulk/drafts/draft.ts'
import { toSubmittedRow, withPaste, withService } from '#web/batches/bulk/drafts/draft.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { saveTextFile } from '#web/client/save-file.ts'
import { announce } from '#web/ui/announce.tsx'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { toClipboardTable, toClipboardText } from './clipboard.ts'
import type { CellText } from './clipboard.ts'
import { columnTitle, fieldTitle } from './columns.ts'
import type { GridColumn } from './columns.ts'
import { parseClipboard, tileCells } from './paste.ts'
import type { ColumnKey } from './row-filter.ts'
import {
  withCells,
  withCopies,
  withEachService,
  withFill,
  withReplacement,
  withRowOptions,
  withRowsApart,
  withSplit,
} from './row-operations.ts'
import type { CellValues, Replacement, RowsResult } from './row-operations.ts'
import type { CellRange } from './selection.ts'
import { gridTexts } from './texts.ts'
import type { BulkTableState } from './use-bulk-table.ts'
import type { RowView } from './use-row-view.ts'

const t = gridTexts

/** Column 1 of a range is the first column; column 0 is the row's number. */
const columnsIn = (columns: readonly GridColumn[], { left, right }: CellRange): GridColumn[] =>
  columns.slice(left - 1, right)

const fieldNames = (columns: readonly GridColumn[]): RowField[] =>
  columns.flatMap(({ fields }) => fields.map(({ name }) => name))

/** Changes of the cells and rows that are chosen in the shown table, each one step to undo. */
export function useRangeEdits(
  { skus }: BulkTableState,
  columns: readonly GridColumn[],
  view: RowView,
  cellText: CellText,
) {
  const draftNow = (): BulkDraft => useBulk.getState().draft
  const rowsAt = (indexes: readonly number[]): GridRow[] => {
    const { rows } = draftNow()
    return indexes.flatMap(index => rows[index] ?? [])
  }
  const idsAt = (indexes: readonly number[]) => new Set(rowsAt(indexes).map(({ id }) => id))
  const commit = (result: RowsResult, name: string, sentence: string) => {
    commitDraft(result.draft, name)
    announce(result.changedCells > 0 ? sentence : t.nothingChanged)
  }
  const commitRows = (next: BulkDraft, name: string, sentence: string) => {
    if (next === draftNow()) return announce(t.nothingChanged)
    commitDraft(next, name)
    toastSuccess(sentence)
  }

  /** The cells for the clipboard: as text, and as a table. */
  const copy = (indexes: readonly number[], range: CellRange) => {
    const rows = rowsAt(indexes)
    const keys = columnsIn(columns, range).map(({ key }) => key)
    announce(t.copied(rows.length * keys.length))
    return {
      text: toClipboardText(rows, keys, cellText),
      table: toClipboardTable(rows, keys, cellText),
    }
  }
  const clear = (indexes: readonly number[], range: CellRange, name = t.changes.clear) => {
    const names = fieldNames(columnsIn(columns, range))
    const empty: CellValues = Object.fromEntries(names.map(field => [field, '']))
    const result = withCells(draftNow(), indexes, () => empty, skus)
    commit(result, name(result.changedCells), t.cleared(result.changedCells))
  }
  const paste = (range: CellRange, text: string) => {
    const { top, bottom, left, right } = range
    const cells = tileCells(parseClipboard(text), bottom - top + 1, right - left + 1)
    const keys = columns.map(({ key }) => key)
    finishPaste(
      withPaste(draftNow(), { row: top, column: left - 1 }, cells, keys, skus, view.order),
    )
  }
  /** Into the fields of a card from `keys[0]` on, and into those of the cards below it. */
  const pasteIntoCard = (edited: GridRow, keys: readonly ColumnKey[], text: string) => {
    const draft = draftNow()
    const index = draft.rows.findIndex(({ id }) => id === edited.id)
    if (index < 0) return toastError(texts.updateFailed)
    const typed = { ...draft, rows: draft.rows.with(index, edited) }
    const place = view.placeOf(index)
    const anchor = { row: place < 0 ? index : place, column: 0 }
    const order = place < 0 ? null : view.order
    finishPaste(withPaste(typed, anchor, parseClipboard(text), keys, skus, order))
  }
  const finishPaste = (pasted: PasteResult) => {
    commitDraft(pasted.draft, t.changes.paste(pasted.changedCells))
    if (pasted.droppedCells > 0) toastError(texts.pastedDropped(pasted.droppedCells))
    if (pasted.changedRows > 0) toastSuccess(texts.pasted(pasted.changedRows))
    else if (pasted.droppedCells === 0) announce(texts.pastedNothing)
  }
  /** Copies the first of the rows to the others; a single row gets the cells of the row above it. */
  const fillDown = (indexes: readonly number[], range: CellRange) => {
    const [first, ...others] = indexes
    if (first === undefined) return
    const from = others.length > 0 ? first : view.rowAt(range.top - 1)
    const names = fieldNames(columnsIn(columns, range))
    const targets = others.length > 0 ? others : [first]
    const result = withFill(draftNow(), from, targets, names, skus)
    commit(result, t.changes.fill(result.changedCells), t.filled(result.changedCells))
  }
  const setColumn = (column: GridColumn, indexes: readonly number[], values: CellValues) => {
    const result = withCells(draftNow(), indexes, () => values, skus)
    const title = columnTitle(column)
    commitDraft(result.draft, t.changes.set(title, result.changedRows))
    toastSuccess(result.changedRows > 0 ? t.wasSet(title, result.changedRows) : t.nothingChanged)
  }
  /** `names`: of services, by index of the row. */
  const setServices = (names: ReadonlyMap<number, string>) => {
    const before = draftNow()
    const [first, ...others] = new Set(names.values())
    const isWhole = names.size === before.rows.length && others.length === 0
    const { draft, changedRows } = isWhole
      ? {
          draft: withService(before, first!),
          changedRows: before.rows.filter(row => row.ServiceName !== first).length,
        }
      : withEachService(before, names)
    commitDraft(draft, t.changes.services(changedRows))
    toastSuccess(changedRows > 0 ? t.compare.wasSet(changedRows) : t.nothingChanged)
  }
  const setOptions = (indexes: readonly number[], options: OptionCells) => {
    const { draft, changedRows } = withRowOptions(draftNow(), indexes, options)
    if (changedRows > 0) commitDraft(draft, t.changes.options(changedRows))
    toastSuccess(changedRows > 0 ? t.options.wasSet(changedRows) : t.nothingChanged)
  }
  const replace = (column: GridColumn, indexes: readonly number[], replacement: Replacement) => {
    const names = fieldNames([column])
    const result = withReplacement(draftNow(), indexes, names, replacement, skus)
    const title = columnTitle(column)
    commitDraft(result.draft, t.changes.replace(title, result.changedRows))
    toastSuccess(result.changedRows > 0 ? t.replaced(title, result.changedRows) : t.nothingChanged)
  }
  const takeSuggestion = (index: number, { field, suggestion }: RowWarning) => {
    if (!suggestion) return
    const name = suggestion.field ?? field
    const result = withCells(draftNow(), [index], () => ({ [name]: suggestion.value }), skus)
    commit(result, t.changes.cell(fieldTitle(name), index), t.wasSet(fieldTitle(name), 1))
  }
  const duplicate = (indexes: readonly number[]) =>
    commitRows(
      withCopies(draftNow(), idsAt(indexes)),
      t.changes.duplicate(indexes.length),
      t.duplicated(indexes.length),
    )
  const takeApart = (indexes: readonly number[]) => {
    const next = withRowsApart(draftNow(), idsAt(indexes))
    commitRows(next, t.changes.apart(indexes.length), t.apart(next.rows.length))
  }
  const split = (indexes: readonly number[]) => {
    const next = withSplit(draftNow(), idsAt(indexes), skus)
    commitRows(next, t.changes.split(indexes.length), t.apart(next.rows.length))
  }
  const download = (indexes: readonly number[]) => {
    saveTextFile(t.fileName, rowsCsv(rowsAt(indexes).map(toSubmittedRow)))
    announce(t.downloaded(indexes.length))
  }
  return {
    rowsAt,
    copy,
    cut: (indexes: readonly number[], range: CellRange) => clear(indexes, range, t.changes.cut),
    clear: (indexes: readonly number[], range: CellRange) => clear(indexes, range),
    paste,
    pasteIntoCard,
    fillDown,
    setColumn,
    setServices,
    setOptions,
    replace,
    takeSuggestion,
    duplicate,
    takeApart,
    split,
    download,
  }
}
