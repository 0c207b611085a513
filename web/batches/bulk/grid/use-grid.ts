/** The state of the shown table: its columns, rows, selection, menus and dialogs. */
import { useMemo, useState } from 'react'
import type { RowWarning } from '#contract/row-warnings.ts'
import { invalidFields } from '#web/batches/bulk/checks/validation.ts'
import { useOfTable } from '#web/batches/bulk/drafts/use-of-table.ts'
import type { RowPrice } from '#web/batches/bulk/submit/row-prices.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { announce } from '#web/ui/announce.tsx'
import { notifyFiltersCleared } from '#web/ui/filters-cleared.ts'
import { columnTitle } from './columns.ts'
import type { GridColumn } from './columns.ts'
import type { ColumnKey, RowFacts, RowFilter, RowSort } from './row-filter.ts'
import { columnText, isFiltering, priceText } from './row-filter.ts'
import {
  cellsIn,
  extendTo,
  selectCell,
  selectedRange,
  selectedRows,
  selectRow,
} from './selection.ts'
import type { GridPosition, Selection } from './selection.ts'
import { gridTexts } from './texts.ts'
import type { BulkTableState, CellKey } from './use-bulk-table.ts'
import { useGridColumns } from './use-grid-columns.ts'
import { useRangeEdits } from './use-range-edits.ts'
import { useRowView } from './use-row-view.ts'

/**
 * What the page knows about the rows. `filter` is the page's; search and column filters are added to
 * it. `reveal` counts the moves to a row that no filter may hide.
 */
export type GridSources = {
  filter?: RowFilter | null
  onClearFilter?: () => void
  reveal?: number
  priceOf?: (row: GridRow) => RowPrice
  warningsOf?: (row: GridRow) => readonly RowWarning[]
  causesOf?: (row: GridRow) => readonly string[]
}

export type MenuPlace = { left: number; top: number; width: number; height: number }
/**
 * `opener`: the head or button that gets the focus back. `row`: the index of the only row that the
 * menu is about; without it, the selected ones.
 */
export type GridMenuState =
  | { kind: 'column'; column: GridColumn; place: MenuPlace; opener: HTMLElement }
  | { kind: 'rows'; place: MenuPlace }
  | { kind: 'card'; row: number; place: MenuPlace; opener: HTMLElement }

/** `rows`: indexes that a set, a replacement or a choice of service applies to. */
export type GridDialogState = {
  kind: 'filter' | 'set' | 'replace' | 'sort' | 'compare' | 'options'
  column: ColumnKey
  /** Whether another column can be chosen. */
  anyColumn: boolean
  rows: readonly number[]
}

const UNKNOWN_PRICE: RowPrice = { cents: null, note: null, pending: true }
const NO_WARNINGS: readonly RowWarning[] = []

export function useGrid(table: BulkTableState, sources: GridSources, width: number | null) {
  const { draft, validateRow, invalidRows, active } = table
  const { rows } = draft
  const { priceOf, warningsOf, causesOf } = sources
  const wrong = useMemo(
    () => invalidFields(rows, invalidRows, validateRow),
    [rows, invalidRows, validateRow],
  )
  const gridColumns = useGridColumns(draft, wrong, width)
  const { columns } = gridColumns

  const [own, setOwn] = useState<OwnView>({ key: draft.key, filter: {}, sort: null })
  const { filter: ownFilter, sort } = own.key === draft.key ? own : NO_OWN_VIEW
  const changeView = (change: Partial<Pick<OwnView, 'filter' | 'sort'>>) =>
    setOwn({ key: draft.key, filter: ownFilter, sort, ...change })
  const pageFilter = sources.filter ?? null
  const filter = useMemo(() => mergeFilters(pageFilter, ownFilter), [pageFilter, ownFilter])
  // Facts that the filter does not ask for must not filter again: an edited row would jump away.
  const warnings = filter?.warnings ? warningsOf : undefined
  const causes = filter?.cause === undefined ? undefined : causesOf
  const asksPrice = sort?.column === 'price' || Boolean(filter?.columns?.price)
  const askedPrice = asksPrice ? priceOf : undefined
  const facts = useMemo(
    (): RowFacts => ({
      errors: validateRow,
      warnings,
      causes,
      cents: row => askedPrice?.(row).cents ?? null,
    }),
    [validateRow, warnings, causes, askedPrice],
  )
  const view = useRowView(rows, filter, sort, facts)

  const last = columns.length
  const place: GridPosition = {
    row: Math.max(0, view.placeOf(active.row)),
    column: columnPlace(columns, active.key),
  }
  const [kept, setKept] = useState<KeptSelection | null>(null)
  const isKept =
    kept !== null
    && kept.order === view.order
    && kept.count === view.count
    && kept.columns === columns
    && kept.selection.head.row === place.row
    && kept.selection.head.column === place.column
  const selection = isKept ? kept.selection : selectCell(place)
  const range = selectedRange(selection, 1, last)
  const select = (next: Selection, focus: boolean) => {
    setKept({ selection: next, order: view.order, count: view.count, columns })
    const index = view.rowAt(next.head.row)
    if (index >= 0) table.activate(index, keyAt(columns, next.head.column), focus)
  }
  /** Indexes of the rows that an action applies to: all that the selection touches. */
  const chosen = useMemo(
    () =>
      selectedRows(selection)
        .map(view.rowAt)
        .filter(index => index >= 0),
    // oxlint-disable-next-line react/exhaustive-deps -- without a kept selection, the place decides
    [kept, isKept, view, place.row],
  )
  const cellText = (row: GridRow, column: ColumnKey): string =>
    column === 'price' ? priceText(priceOf?.(row).cents ?? null) : columnText(row, column)
  const edits = useRangeEdits(table, columns, view, cellText)
  const [menu, setMenu] = useOfTable<GridMenuState | null>(null)
  const [dialog, setDialog] = useOfTable<GridDialogState | null>(null)

  const shownIndexes = (): number[] => [...(view.order ?? rows.keys())]
  const sortBy = (next: RowSort | null) => {
    changeView({ sort: next })
    announce(
      next ? gridTexts.sorted(titleOf(columns, next.column), next.descending) : gridTexts.unsorted,
    )
  }
  const filterColumn = (column: ColumnKey, text: string) => {
    const { [column]: _, ...others } = ownFilter.columns ?? {}
    changeView({
      filter: { ...ownFilter, columns: text === '' ? others : { ...others, [column]: text } },
    })
  }
  return {
    table,
    rows,
    ...gridColumns,
    view,
    filter,
    sort,
    search: ownFilter.text ?? '',
    isFiltered: isFiltering(filter),
    setSearch: (text: string) => changeView({ filter: { ...ownFilter, text } }),
    columnFilter: (column: ColumnKey) => ownFilter.columns?.[column] ?? '',
    filterColumn,
    sortBy,
    showAll: () => {
      notifyFiltersCleared()
      changeView({ filter: {} })
      sources.onClearFilter?.()
    },
    cellText,
    priceOf: priceOf ?? (() => UNKNOWN_PRICE),
    warningsOf: warningsOf ?? (() => NO_WARNINGS),
    place,
    selection,
    range,
    isRange: selection.rows || cellsIn(range) > 1,
    chosen,
    shownIndexes,
    lastColumn: last,
    selectCell: (cell: GridPosition, focus: boolean) => select(selectCell(cell), focus),
    extendTo: (cell: GridPosition, focus: boolean) => select(extendTo(selection, cell), focus),
    selectRow: (cell: GridPosition, keep: boolean, focus: boolean) =>
      select(selectRow(cell, selection, keep), focus),
    selectAll: () => {
      if (view.count === 0) return
      const all = { top: 0, bottom: view.count - 1 }
      select({ anchor: place, head: place, rows: true, others: [all] }, false)
      announce(gridTexts.chosenRows(view.count))
    },
    selectColumn: (column: GridColumn) => {
      const at = columnPlace(columns, column.key)
      if (view.count > 0)
        select(
          {
            anchor: { row: view.count - 1, column: at },
            head: { row: 0, column: at },
            rows: false,
            others: [],
          },
          true,
        )
    },
    edits,
    menu,
    openMenu: setMenu,
    dialog,
    openDialog: setDialog,
  }
}

export type GridModel = ReturnType<typeof useGrid>

/** Search, column filters and order; they end with the table that they were made for. */
type OwnView = { key: string; filter: RowFilter; sort: RowSort | null }
const NO_OWN_VIEW: Pick<OwnView, 'filter' | 'sort'> = { filter: {}, sort: null }

/** A selection holds only while the places mean the same cells. */
type KeptSelection = {
  selection: Selection
  order: readonly number[] | null
  count: number
  columns: readonly GridColumn[]
}

function mergeFilters(page: RowFilter | null, own: RowFilter): RowFilter | null {
  const filter = {
    ...page,
    ...own,
    text: [page?.text, own.text].find(text => text !== undefined && text !== ''),
    columns: { ...page?.columns, ...own.columns },
  }
  return isFiltering(filter) ? filter : null
}

/** Column 0 is the row's number, the last two are its buttons. A folded column has the first place. */
export function columnPlace(columns: readonly GridColumn[], key: CellKey): number {
  if (key === 'row') return 0
  if (key === 'edit') return columns.length + 1
  if (key === 'delete') return columns.length + 2
  return (
    Math.max(
      0,
      columns.findIndex(column => column.key === key),
    ) + 1
  )
}

export const keyAt = (columns: readonly GridColumn[], place: number): CellKey =>
  place === 0
    ? 'row'
    : (columns[place - 1]?.key ?? (place === columns.length + 1 ? 'edit' : 'delete'))

const titleOf = (columns: readonly GridColumn[], key: ColumnKey): string => {
  const column = columns.find(one => one.key === key)
  return column ? columnTitle(column) : key
}
