/**
 * The table of a bulk order: a real table with grid roles that renders only the visible rows, and
 * has one tab stop. The active and the edited row always stay rendered, so scrolling never loses
 * focus or input.
 */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { useEffectEvent, useLayoutEffect, useMemo, useRef } from 'react'
import type { ClipboardEvent, KeyboardEvent, MouseEvent, ReactNode } from 'react'
import type { AvailableService } from '#contract/catalogue.ts'
import type { Field } from '#contract/rows.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { groupsOf, isNumeric, columnWidth } from './columns.ts'
import { EditRow } from './EditRow.tsx'
import { cellAfterKey } from './grid-keys.ts'
import { HEAD_ROWS, RowView } from './RowView.tsx'
import { texts } from './texts.ts'
import type { RowEditing } from './use-row-editing.ts'
import { useVisibleColumns } from './use-visible-columns.ts'
import { invalidFields } from './validation.ts'
import type { CellPosition, RowValidator } from './validation.ts'
import styles from './Grid.module.css'

/** `focusRequest` counts the moves that must also move the focus. */
export type ActiveCell = CellPosition & { focusRequest: number }

type GridProps = {
  rows: readonly GridRow[]
  invalid: readonly number[]
  columns: readonly Field[]
  validateRow: RowValidator
  services: readonly AvailableService[]
  editing: RowEditing | null
  active: ActiveCell
  /** `focus`: a key or button moves the focus there; otherwise the cell has it already. */
  onActive: (cell: CellPosition, focus: boolean) => void
  onEdit: (cell: CellPosition) => void
  onDelete: (row: number) => void
  onPaste: (cell: CellPosition, text: string) => void
  onUndo: () => void
}

/** Height of --control in the style sheet, px. */
const ROW_PX = 36

/** The cell of an event, or null. */
function cellOf(target: EventTarget): CellPosition | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null
  return cell ? { row: Number(cell.dataset.row), column: Number(cell.dataset.column) } : null
}

export function Grid(props: GridProps) {
  const {
    rows,
    invalid,
    columns,
    validateRow,
    services,
    editing,
    active,
    onActive,
    onEdit,
    onDelete,
    onPaste,
    onUndo,
  } = props
  const scroller = useRef<HTMLDivElement>(null)
  const invalidColumns = useMemo(
    () => invalidFields(rows, invalid, validateRow),
    [rows, invalid, validateRow],
  )
  // Marketplace order ids are long; without any, their column is narrow.
  const hasOrderIds = useMemo(() => rows.some(row => row.orderId !== ''), [rows])
  const edited = editing ? rows.findIndex(row => row.id === editing.id) : -1
  const pinned = [active.row, edited].filter(index => index >= 0 && index < rows.length)
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler; rows are by hand
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 3,
    rangeExtractor: range =>
      [...new Set([...defaultRangeExtractor(range), ...pinned])].sort((a, b) => a - b),
  })
  const { visibleColumns, onScroll } = useVisibleColumns(virtual.isScrolling)

  const focusActive = useEffectEvent(() => {
    const cell = scroller.current?.querySelector<HTMLElement>(
      `[data-row="${active.row}"][data-column="${active.column}"]`,
    )
    cell?.focus({ preventScroll: true })
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
  // Only a new request moves the focus; a click moves the active cell, which has the focus already.
  useLayoutEffect(() => {
    if (active.focusRequest > 0) focusActive()
  }, [active.focusRequest])

  const handleKey = (event: KeyboardEvent) => {
    const cell = cellOf(event.target)
    if (!cell || event.altKey) return
    const ctrl = event.ctrlKey || event.metaKey
    const page = Math.max(
      1,
      Math.floor((scroller.current?.clientHeight ?? 0) / ROW_PX) - HEAD_ROWS - 1,
    )
    const next = cellAfterKey(cell, { key: event.key, ctrl }, rows.length, columns.length + 2, page)
    if (next) onActive(next, true)
    else if (event.key === 'F2' || (event.key === 'Enter' && cell.column < columns.length))
      onEdit(cell)
    else if (event.key === 'Delete') onDelete(cell.row)
    else if (ctrl && event.key.toLowerCase() === 'z') onUndo()
    else return
    event.preventDefault()
  }
  const click = (event: MouseEvent) => {
    const action =
      event.target instanceof Element
        ? event.target.closest<HTMLElement>('[data-action]')?.dataset.action
        : undefined
    const cell = cellOf(event.target)
    if (!cell) return
    if (action === 'edit') onEdit({ row: cell.row, column: -1 })
    else if (action === 'delete') onDelete(cell.row)
  }
  const doubleClick = (event: MouseEvent) => {
    const cell = cellOf(event.target)
    if (cell && cell.column < columns.length) onEdit(cell)
  }
  const paste = (event: ClipboardEvent) => {
    const cell = cellOf(event.target)
    if (!cell || cell.column >= columns.length) return
    event.preventDefault()
    onPaste(cell, event.clipboardData.getData('text/plain'))
  }
  const copy = (event: ClipboardEvent) => {
    const cell = cellOf(event.target)
    const field = cell && columns[cell.column]
    if (!cell || !field || !getSelection()?.isCollapsed) return
    event.preventDefault()
    event.clipboardData.setData('text/plain', rows[cell.row]?.[field.name] ?? '')
  }

  const renderedRows: ReactNode[] = []
  let end = 0
  const gap = (to: number, key: string) => {
    if (to > end)
      renderedRows.push(<tr key={key} aria-hidden="true" style={{ height: to - end }} />)
  }
  for (const { index, start, end: bottom } of virtual.getVirtualItems()) {
    const row = rows[index]
    if (!row) continue
    gap(start, `gap-${index}`)
    end = bottom
    renderedRows.push(
      editing?.id === row.id ? (
        <EditRow
          key={row.id}
          editing={editing}
          index={index}
          columns={columns}
          services={services}
          upwards={index > 2 && index === rows.length - 1}
        />
      ) : (
        <RowView
          key={row.id}
          row={row}
          index={index}
          columns={columns}
          errors={validateRow(row)}
          active={active.row === index ? active.column : -1}
          visibleColumns={active.row === index ? null : visibleColumns}
        />
      ),
    )
  }
  gap(virtual.getTotalSize(), 'gap-end')

  return (
    <div
      ref={scroller}
      className={styles.scroller}
      data-has-order-ids={hasOrderIds || undefined}
      onScroll={onScroll}
    >
      <table
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- the grid pattern on a real table
        role="grid"
        aria-label={texts.grid}
        aria-rowcount={rows.length + HEAD_ROWS}
        aria-colcount={columns.length + 1}
        className={styles.table}
        onKeyDown={handleKey}
        onClick={click}
        onDoubleClick={doubleClick}
        onPaste={paste}
        onCopy={copy}
        onFocus={event => {
          const cell = cellOf(event.target)
          if (cell && (cell.row !== active.row || cell.column !== active.column))
            onActive(cell, false)
        }}
      >
        <GridHead columns={columns} wrong={invalidColumns} />
        <tbody>{renderedRows}</tbody>
      </table>
    </div>
  )
}

function GridHead({ columns, wrong }: { columns: readonly Field[]; wrong: ReadonlySet<string> }) {
  // The first column is frozen, so its group head is split in two.
  const [first, ...others] = groupsOf(columns)
  return (
    <>
      <colgroup>
        {columns.map((field, index) => (
          <col
            key={field.name}
            className={
              index === 0
                ? styles.colLead
                : styles[`col-${columnWidth(field, wrong.has(field.name))}`]
            }
          />
        ))}
        <col className={styles.colActions} />
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          <th
            scope="colgroup"
            className={styles.leadHead}
            aria-colindex={1}
            aria-colspan={first?.span}
          >
            {first?.group}
          </th>
          {first && first.span > 1 && (
            <td className={styles.groupHead} colSpan={first.span - 1} aria-hidden="true" />
          )}
          {others.map(({ group, span }) => (
            <th
              key={group}
              scope="colgroup"
              colSpan={span}
              className={styles.groupHead}
              data-group={group}
              aria-colindex={columns.findIndex(field => field.group === group) + 1}
            >
              <span>{group}</span>
            </th>
          ))}
          <td className={styles.actionsHead} aria-hidden="true" />
        </tr>
        <tr aria-rowindex={2}>
          {columns.map((field, index) => (
            <th
              key={field.name}
              scope="col"
              aria-colindex={index + 1}
              className={index === 0 ? styles.leadHead : styles.head}
              data-group={field.group}
              data-figure={isNumeric(field) || undefined}
            >
              {field.label}
            </th>
          ))}
          <th scope="col" aria-colindex={columns.length + 1} className={styles.actionsHead}>
            {texts.actions}
          </th>
        </tr>
      </thead>
    </>
  )
}
