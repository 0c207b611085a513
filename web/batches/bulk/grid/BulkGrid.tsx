/** The rows of the table: a grid, or cards on phones, with their tools, menus and dialogs. */
import { useEffect, useEffectEvent, useRef } from 'react'
import { withGroupName } from '#contract/row-rules.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import type { MenuAction } from '#web/ui/ActionMenu.tsx'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import { ColumnDialogs } from './ColumnDialogs.tsx'
import { columnOfKey, errorIn } from './columns.ts'
import { EditSheet } from './EditSheet.tsx'
import { Grid } from './Grid.tsx'
import { GridMenu } from './GridMenu.tsx'
import { GridTools } from './GridTools.tsx'
import { RowCards } from './RowCards.tsx'
import { gridTexts } from './texts.ts'
import type { BulkTableState } from './use-bulk-table.ts'
import { useGrid } from './use-grid.ts'
import type { GridModel, GridSources } from './use-grid.ts'
import { useRowPicking } from './use-row-picking.ts'
import styles from './GridTools.module.css'

const NO_SERVICES: never[] = []

type BulkGridProps = {
  table: BulkTableState
  /** Prices, warnings and the filter of the page. */
  sources: GridSources
  /** Of the table in px; null before it is measured. */
  width: number | null
  /** What is done with the table as a whole, for the menu on phones. */
  tableMenu: MenuAction[]
}

export function BulkGrid({ table, sources, width, tableMenu }: BulkGridProps) {
  const phone = useIsPhone()
  const grid = useGrid(table, sources, phone ? null : width)
  const picking = useRowPicking(grid)
  const searchBox = useRef<HTMLDivElement>(null)
  const services = table.services.data ?? NO_SERVICES
  const focusSearch = () => searchBox.current?.querySelector('input')?.focus()
  const section = useRef<HTMLDivElement>(null)
  useTableKeys(grid, section, focusSearch)
  useReveal(grid, sources.reveal ?? 0)
  const { rows } = table.draft
  const { editing } = table
  return (
    <div ref={section} className={styles.rows}>
      <GridTools
        grid={grid}
        phone={phone}
        picking={picking}
        searchBox={searchBox}
        tableMenu={tableMenu}
      />
      {phone ? (
        <RowCards grid={grid} picking={picking} />
      ) : (
        <>
          <Grid grid={grid} services={services} focusSearch={focusSearch} />
          <StatusLine grid={grid} />
        </>
      )}
      {phone && editing && (
        <EditSheet
          editing={editing}
          index={rows.findIndex(row => row.id === editing.id)}
          columns={table.columns}
          services={services}
          onPasteCells={grid.edits.pasteIntoCard}
        />
      )}
      <GridMenu grid={grid} />
      <ColumnDialogs grid={grid} services={services} />
    </div>
  )
}

/** Shows all rows if the active one is hidden by a filter. */
function useReveal(grid: GridModel, request: number): void {
  const reveal = useEffectEvent(() => {
    if (grid.view.placeOf(grid.table.active.row) >= 0) return
    grid.showAll()
    grid.table.refocus()
  })
  useEffect(() => {
    if (request > 0) reveal()
  }, [request])
}

/** Search and undo outside of the cells: with the focus on the page or among the tools. */
function useTableKeys(
  { table }: GridModel,
  section: { current: HTMLElement | null },
  focusSearch: () => void,
): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || !(event.ctrlKey || event.metaKey)) return
    const { target } = event
    const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    const isHere =
      target === document.body || (target instanceof Node && section.current?.contains(target))
    if (isText || !isHere) return
    const key = event.key.toLowerCase()
    if (key === 'f') focusSearch()
    else if (key === 'y' || (key === 'z' && event.shiftKey)) table.redo()
    else if (key === 'z') table.undo()
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => handleKey(event)
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [])
}

/**
 * The full error or notice of the active cell, which a narrow column cuts off; otherwise the keys.
 */
function StatusLine({ grid }: { grid: GridModel }) {
  const { table, rows } = grid
  const { active, validateRow } = table
  const row = rows[active.row]
  const column = columnOfKey(active.key)
  const errors = row && validateRow(row)
  const error = errors && column && errorIn(errors, column)
  const field = errors && column?.fields.find(({ name }) => errors[name])
  const warning =
    row
    && grid
      .warningsOf(row)
      .find(one => !column || column.fields.some(({ name }) => name === one.field))
  const price = row && active.key === 'price' ? grid.priceOf(row).note : null
  const text =
    error && field
      ? withGroupName(field.name, error)
      : (price ?? warning?.message ?? (row?.notices.join(' ') || null))
  return (
    <p
      className={styles.status}
      data-invalid={error ? true : undefined}
      data-warning={!error && warning ? true : undefined}
    >
      {text ? `${texts.rowName(active.row)}: ${text}` : gridTexts.keysHint}
    </p>
  )
}
