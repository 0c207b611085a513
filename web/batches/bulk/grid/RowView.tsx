/** A grid row outside of edit mode. Memoized on what it shows. */
import { IconAlertTriangle, IconInfoCircle, IconPencil, IconTrash } from '@tabler/icons-react'
import { memo } from 'react'
import type { ReactNode } from 'react'
import type { RowErrors } from '#contract/row-rules.ts'
import type { RowWarning } from '#contract/row-warnings.ts'
import { shortFault } from '#web/batches/bulk/checks/short-faults.ts'
import { codesOf } from '#web/batches/bulk/checks/validation.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import { shownCell, shownOptions } from '#web/batches/grid-row.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import type { ColumnWidth, GridColumn } from './columns.ts'
import { columnText } from './row-filter.ts'
import type { VisibleColumns } from './use-visible-columns.ts'
import styles from './Grid.module.css'

/** Head rows above the first row: groups and columns. */
export const HEAD_ROWS = 2

type RowViewProps = {
  row: GridRow
  index: number
  /** The row's place in the shown table. */
  place: number
  columns: readonly GridColumn[]
  /** The columns have no room for the carrier's name. */
  isTight: boolean
  errors: RowErrors
  warnings: readonly RowWarning[]
  price: string
  priceReason: string | null
  /** The place of the active column, -1 for none. */
  active: number
  /** The first and last selected column, -1 for none. */
  selectedFrom: number
  selectedTo: number
  rowSelected: boolean
  /** The columns to render; null for all. */
  visibleColumns: VisibleColumns | null
  editedColumn: number
  editor: ReactNode
  editorButtons: ReactNode
}

/**
 * A row rendered with all columns keeps them, so `visibleColumns` matters only for a partial row.
 */
function areRowPropsEqual(before: RowViewProps, after: RowViewProps): boolean {
  const asWide = before.visibleColumns === null || before.visibleColumns === after.visibleColumns
  if (!asWide) return false
  for (const name in after) {
    const key = name as keyof RowViewProps
    if (key !== 'visibleColumns' && before[key] !== after[key]) return false
  }
  return true
}

/** The grid handles clicks and keys; it finds the cell by `data-row` and `data-column`. */
export const RowView = memo(function RowView(props: RowViewProps) {
  const { row, index, place, columns, errors, warnings, active, visibleColumns } = props
  const { editedColumn, editor, editorButtons, rowSelected } = props
  const { first, last } = visibleColumns ?? { first: 2, last: columns.length }
  const isSelected = (at: number) => at >= props.selectedFrom && at <= props.selectedTo
  return (
    <tr
      aria-rowindex={place + 1 + HEAD_ROWS}
      aria-selected={rowSelected}
      className={styles.row}
      data-selected={rowSelected || undefined}
    >
      <NumberCell
        row={row}
        index={index}
        place={place}
        errors={errors}
        warnings={warnings}
        active={active === 0}
        selected={rowSelected}
      />
      {columns.map((column, offset) => {
        const at = offset + 1
        if (at === 2 && first > 2) return <HiddenColumns key="hidden" columns={first - 2} />
        if (at !== 1 && (at < first || at > last)) return null
        const edited = editedColumn === at
        return (
          <GridCell
            key={column.key}
            row={row}
            place={place}
            at={at}
            column={column}
            isTight={props.isTight}
            price={props.price}
            priceReason={props.priceReason}
            fault={faultIn(errors, column)}
            warning={warningIn(warnings, column)}
            active={active === at}
            selected={isSelected(at)}
            editor={edited ? editor : null}
          />
        )
      })}
      <HiddenColumns columns={columns.length - Math.max(last, 1)} />
      <td
        className={styles.actions}
        aria-colindex={columns.length + 2}
        data-editing={editorButtons ? true : undefined}
      >
        {editorButtons ?? <RowButtons place={place} edit={columns.length + 1} active={active} />}
      </td>
    </tr>
  )
}, areRowPropsEqual)

type CellFault = { sentence: string; short: string }

/** The first of the errors that a column shows. */
function faultIn(errors: RowErrors, { fields }: GridColumn): CellFault | null {
  const name = fields.find(field => errors[field.name])?.name
  const sentence = name && errors[name]
  return sentence ? { sentence, short: shortFault(codesOf(errors)[name], sentence) } : null
}

const warningIn = (warnings: readonly RowWarning[], { fields }: GridColumn): string | undefined =>
  warnings.find(warning => fields.some(({ name }) => name === warning.field))?.message

/** A placeholder for columns that are not rendered yet. */
const HiddenColumns = ({ columns }: { columns: number }) =>
  columns > 0 && <td colSpan={columns} aria-hidden="true" />

function RowButtons({ place, edit, active }: { place: number; edit: number; active: number }) {
  return (
    <span className={styles.buttons}>
      <button
        type="button"
        className={styles.action}
        aria-label={texts.edit}
        title={texts.edit}
        data-row={place}
        data-column={edit}
        data-action="edit"
        tabIndex={active === edit ? 0 : -1}
      >
        <IconPencil aria-hidden="true" />
      </button>
      <button
        type="button"
        className={styles.action}
        aria-label={texts.remove}
        title={texts.remove}
        data-row={place}
        data-column={edit + 1}
        data-action="delete"
        tabIndex={active === edit + 1 ? 0 : -1}
      >
        <IconTrash aria-hidden="true" />
      </button>
    </span>
  )
}

type GridCellProps = {
  row: GridRow
  place: number
  at: number
  column: GridColumn
  isTight: boolean
  price: string
  priceReason: string | null
  fault: CellFault | null
  warning: string | undefined
  active: boolean
  selected: boolean
  editor: ReactNode
}

function GridCell(props: GridCellProps) {
  const { row, place, at, column, price, priceReason, fault, warning, active, selected } = props
  const { isTight } = props
  const { key, group, isFigure, width } = column
  const text =
    key === 'price'
      ? price
      : key === 'size' || key === 'file'
        ? columnText(row, key)
        : shownCell(row, key)
  const reason = key === 'price' ? priceReason : null
  const options = key === 'ServiceName' ? shownOptions(row) : ''
  const whole = options === '' ? text : `${text} + ${options}`
  const isLong = options !== '' || whole.length > LONG_TEXT
  return (
    <td
      className={at === 1 ? styles.lead : styles.cell}
      aria-colindex={at + 1}
      aria-invalid={fault ? true : undefined}
      aria-selected={selected}
      aria-readonly={column.fields.length === 0 || undefined}
      title={fault?.sentence ?? warning ?? reason ?? (isLong ? whole : undefined)}
      data-row={place}
      data-column={at}
      data-group={group}
      data-figure={isFigure || undefined}
      data-blank={(fault && text === '') || undefined}
      data-warning={warning ? true : undefined}
      data-editing={props.editor ? true : undefined}
      tabIndex={active ? 0 : -1}
    >
      {props.editor ?? (
        <>
          {key === 'ServiceName' ? (
            <ServiceCell name={text} options={options} isTight={isTight} />
          ) : (
            text
          )}
          {text === '' && fault === null && options === '' && <NoText />}
          {reason !== null && <span className="visually-hidden">{reason}</span>}
          {fault && (
            <span
              className={styles.message}
              data-short={
                options || (text && (isTight || NARROW.has(width))) ? undefined : fault.short
              }
            >
              <span className="visually-hidden">
                {text && ' '}
                {fault.sentence}
              </span>
            </span>
          )}
        </>
      )}
    </td>
  )
}

const NoText = () => (
  <span className={styles.none} aria-hidden="true">
    –
  </span>
)

/** The service, and where the label asks for more than it, the options, which the name makes room for. */
function ServiceCell({
  name,
  options,
  isTight,
}: {
  name: string
  options: string
  isTight: boolean
}) {
  if (options === '') return isTight ? <ServiceName name={name} /> : name
  return (
    <span className={styles.withOptions}>
      <span className={styles.service}>
        {name === '' ? <NoText /> : <ServiceName name={name} />}
      </span>{' '}
      <span className={styles.options}>+ {options}</span>
    </span>
  )
}

/** The carrier is the same in almost every table; screen readers hear it. */
function ServiceName({ name }: { name: string }) {
  const carrier = name.startsWith(CARRIER) ? CARRIER : ''
  return (
    <>
      {carrier && <span className="visually-hidden">{carrier}</span>}
      {name.slice(carrier.length)}
    </>
  )
}

const CARRIER = 'USPS '

/** Beside a text, an error has no room in these; its sentence is in the tooltip and below the table. */
const NARROW: ReadonlySet<ColumnWidth> = new Set(['figure', 'weight', 'tiny', 'small'])
/** A longer text may be cut off and is shown in full on hover. */
const LONG_TEXT = 12

type NumberCellProps = {
  row: GridRow
  index: number
  place: number
  errors: RowErrors
  warnings: readonly RowWarning[]
  active: boolean
  selected: boolean
}

/** The frozen first cell: the row's number, which selects the row, and its marks. */
function NumberCell(props: NumberCellProps) {
  const { row, index, place, errors, warnings, active, selected } = props
  const errorCount = Object.keys(errors).length
  const notices = [...row.notices, ...warnings.map(({ message }) => message)].join(' ')
  return (
    <th
      scope="row"
      className={styles.number}
      aria-colindex={1}
      aria-selected={selected}
      title={notices || undefined}
      data-row={place}
      data-column={0}
      tabIndex={active ? 0 : -1}
    >
      <span className={styles.numberLine}>
        <span>{index + 1}</span>
        {errorCount > 0 ? (
          <span className={styles.wrong}>
            {errorCount}
            <span className="visually-hidden"> {texts.errorWord(errorCount)}</span>
          </span>
        ) : (
          notices && (
            <span className={styles.notice} data-warning={warnings.length > 0 || undefined}>
              {warnings.length > 0 ? (
                <IconAlertTriangle aria-hidden="true" />
              ) : (
                <IconInfoCircle aria-hidden="true" />
              )}
              <span className="visually-hidden">{notices}</span>
            </span>
          )
        )}
      </span>
    </th>
  )
}
