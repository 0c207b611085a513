/**
 * The table of a bulk order: a real table with grid roles that renders only the visible rows, and
 * has one tab stop. The active and the edited row always stay rendered, so scrolling never loses
 * focus or input.
 */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { MouseEvent, ReactNode } from 'react'
import type { AvailableService } from '#contract/catalogue.ts'
import { usd } from '#contract/money.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import { cx } from '#web/ui/cx.ts'
import { fadeAtEdges } from '#web/ui/fade-at-edges.ts'
import { CellEditor, CellEditorButtons } from './CellEditor.tsx'
import { EditRow } from './EditRow.tsx'
import { GridHead } from './GridHead.tsx'
import { HEAD_ROWS, RowView } from './RowView.tsx'
import { isRowSelected } from './selection.ts'
import { gridTexts } from './texts.ts'
import { useCellEditing } from './use-cell-editing.ts'
import type { CellEditing, MoveAfterEdit } from './use-cell-editing.ts'
import { useDragSelection } from './use-drag-selection.ts'
import { cellOf, useGridKeys } from './use-grid-keys.ts'
import { columnPlace, keyAt } from './use-grid.ts'
import type { GridModel } from './use-grid.ts'
import { useVisibleColumns } from './use-visible-columns.ts'
import styles from './Grid.module.css'
import widths from './GridColumns.module.css'

type GridProps = {
  grid: GridModel
  services: readonly AvailableService[]
  focusSearch: () => void
}

/** Height of --control in the style sheet, px. */
const ROW_PX = 32

export function Grid({ grid, services, focusSearch }: GridProps) {
  const { table, rows, columns, fit, view, place, range, selection } = grid
  const { editing, active, validateRow } = table
  const scroller = useRef<HTMLDivElement>(null)
  useEffect(() => fadeAtEdges(scroller.current), [])
  const moveAfterEdit = (move: MoveAfterEdit) => {
    const { row, column } = place
    const down = move === 'down' ? 1 : move === 'up' ? -1 : 0
    const right = move === 'right' ? 1 : move === 'left' ? -1 : 0
    grid.selectCell(
      {
        row: Math.min(view.count - 1, Math.max(0, row + down)),
        column: Math.min(grid.lastColumn, Math.max(1, column + right)),
      },
      true,
    )
  }
  const cellEditing = useCellEditing(table, moveAfterEdit)
  const editedId = editing?.id ?? cellEditing?.id
  const edited = editedId ? view.placeOf(rows.findIndex(row => row.id === editedId)) : -1
  const pinned = [place.row, edited].filter(at => at >= 0 && at < view.count)
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler; rows are by hand
  const virtual = useVirtualizer({
    count: view.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 3,
    rangeExtractor: visible =>
      [...new Set([...defaultRangeExtractor(visible), ...pinned])].sort((a, b) => a - b),
  })
  const { visibleColumns, onScroll } = useVisibleColumns(virtual.isScrolling)

  const focusCell = useEffectEvent(() => {
    const cell = scroller.current?.querySelector<HTMLElement>(
      `[data-row="${place.row}"][data-column="${place.column}"]`,
    )
    cell?.focus({ preventScroll: true })
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
  // Only a new request moves the focus; a click moves the active cell, which has the focus already.
  useLayoutEffect(() => {
    if (active.focusRequest > 0) focusCell()
  }, [active.focusRequest])

  const focusHead = (column: number) => {
    const heads = scroller.current?.querySelectorAll<HTMLElement>('[data-head]')
    heads?.[Math.min(Math.max(0, column - 1), heads.length - 1)]?.focus({ preventScroll: true })
  }
  const pageRows = () =>
    Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_PX) - HEAD_ROWS - 1)
  const { handleKey, copy, paste } = useGridKeys(grid, { pageRows, focusHead, focusSearch })
  const { onPointerDown } = useDragSelection(grid, scroller)

  const click = (event: MouseEvent) => {
    const action =
      event.target instanceof Element
        ? event.target.closest<HTMLElement>('[data-action]')?.dataset.action
        : undefined
    const cell = cellOf(event.target)
    if (!cell || !action) return
    const index = view.rowAt(cell.row)
    if (action === 'edit') table.edit(index)
    else table.requestDelete([index])
  }
  const doubleClick = (event: MouseEvent) => {
    const cell = cellOf(event.target)
    if (!cell || cell.column > grid.lastColumn || event.target instanceof HTMLInputElement) return
    table.editCell(view.rowAt(cell.row), keyAt(columns, cell.column), null)
  }
  const openMenu = (event: MouseEvent) => {
    const cell = cellOf(event.target)
    if (!cell || event.target instanceof HTMLInputElement) return
    event.preventDefault()
    const isInside =
      grid.isRange
      && (selection.rows
        ? isRowSelected(selection, cell.row)
        : cell.row >= range.top && cell.row <= range.bottom)
    if (!isInside) grid.selectCell(cell, true)
    grid.openMenu({
      kind: 'rows',
      place: { left: event.clientX, top: event.clientY, width: 0, height: 0 },
    })
  }

  const renderedRows: ReactNode[] = []
  let end = 0
  const gap = (to: number, key: string) => {
    if (to > end)
      renderedRows.push(<tr key={key} aria-hidden="true" style={{ height: to - end }} />)
  }
  for (const { index: at, start, end: bottom } of virtual.getVirtualItems()) {
    const index = view.rowAt(at)
    const row = rows[index]
    if (!row) continue
    gap(start, `gap-${at}`)
    end = bottom
    if (editing?.id === row.id) {
      renderedRows.push(
        <EditRow
          key={row.id}
          editing={editing}
          index={index}
          place={at}
          columns={columns}
          services={services}
          upwards={at > 2 && at === view.count - 1}
        />,
      )
      continue
    }
    const price = grid.priceOf(row)
    const isInRange = at >= range.top && at <= range.bottom
    const rowSelected = selection.rows && isRowSelected(selection, at)
    const ownEditing: CellEditing | null = cellEditing?.id === row.id ? cellEditing : null
    renderedRows.push(
      <RowView
        key={row.id}
        row={row}
        index={index}
        place={at}
        columns={columns}
        isTight={fit !== 'wide'}
        errors={validateRow(row)}
        warnings={grid.warningsOf(row)}
        price={price.cents === null ? (price.pending ? '…' : '') : usd(price.cents)}
        priceReason={price.note}
        active={place.row === at ? place.column : -1}
        selectedFrom={rowSelected ? 0 : isInRange && grid.isRange ? range.left : -1}
        selectedTo={rowSelected ? columns.length : isInRange && grid.isRange ? range.right : -2}
        rowSelected={rowSelected}
        visibleColumns={place.row === at ? null : visibleColumns}
        editedColumn={ownEditing ? columnPlace(columns, ownEditing.column.key) : -1}
        editor={ownEditing && <CellEditor editing={ownEditing} services={services} />}
        editorButtons={ownEditing && <CellEditorButtons editing={ownEditing} />}
      />,
    )
  }
  gap(virtual.getTotalSize(), 'gap-end')

  return (
    <div
      ref={scroller}
      className={cx(styles.scroller, widths.widths)}
      data-fit={fit}
      onScroll={onScroll}
    >
      <table
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- the grid pattern on a real table
        role="grid"
        aria-label={texts.grid}
        aria-multiselectable="true"
        aria-rowcount={view.count + HEAD_ROWS}
        aria-colcount={columns.length + 2}
        className={styles.table}
        onKeyDown={handleKey}
        onPointerDown={onPointerDown}
        onClick={click}
        onDoubleClick={doubleClick}
        onContextMenu={openMenu}
        onPaste={paste}
        onCopy={copy}
        onFocus={event => {
          const cell = cellOf(event.target)
          const isNew = cell && (cell.row !== place.row || cell.column !== place.column)
          if (isNew) table.activate(view.rowAt(cell.row), keyAt(columns, cell.column), false)
        }}
      >
        <GridHead grid={grid} tabStop={view.count === 0} />
        <tbody>{renderedRows}</tbody>
      </table>
      {view.count === 0 && <p className={styles.noMatch}>{gridTexts.noMatch}</p>}
    </div>
  )
}
