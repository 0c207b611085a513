/** A grid row outside of edit mode. Memoized on what it shows. */
import { IconInfoCircle, IconPencil, IconTrash } from '@tabler/icons-react'
import { memo } from 'react'
import type { RowErrors } from '#contract/row-rules.ts'
import type { Field } from '#contract/rows.ts'
import { shownCell } from '#web/batches/grid-row.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { isNumeric } from './columns.ts'
import { texts } from './texts.ts'
import type { VisibleColumns } from './use-visible-columns.ts'
import styles from './Grid.module.css'

/** Head rows above the first row: groups and columns. */
export const HEAD_ROWS = 2

type RowViewProps = {
  row: GridRow
  index: number
  columns: readonly Field[]
  errors: RowErrors
  /** The active column, -1 for none. */
  active: number
  /** The columns to render; null for all. */
  visibleColumns: VisibleColumns | null
}

/**
 * A row rendered with all columns keeps them, so `visibleColumns` matters only for a partial row.
 */
function areRowPropsEqual(before: RowViewProps, after: RowViewProps): boolean {
  const asWide = before.visibleColumns === null || before.visibleColumns === after.visibleColumns
  return (
    asWide
    && before.row === after.row
    && before.index === after.index
    && before.columns === after.columns
    && before.errors === after.errors
    && before.active === after.active
  )
}

/** The grid handles clicks and keys; it finds the cell by `data-row` and `data-column`. */
export const RowView = memo(function RowView({
  row,
  index,
  columns,
  errors,
  active,
  visibleColumns,
}: RowViewProps) {
  const edit = columns.length
  const lead = columns[0]
  const { first, last } = visibleColumns ?? { first: 1, last: edit - 1 }
  return (
    <tr aria-rowindex={index + 1 + HEAD_ROWS} className={styles.row}>
      {lead && (
        <LeadCell row={row} index={index} field={lead} errors={errors} active={active === 0} />
      )}
      <HiddenColumns columns={first - 1} />
      {columns.map(
        (field, column) =>
          column >= first
          && column <= last && (
            <GridCell
              key={field.name}
              text={shownCell(row, field.name)}
              index={index}
              column={column}
              field={field}
              error={errors[field.name]}
              active={active === column}
            />
          ),
      )}
      <HiddenColumns columns={edit - 1 - last} />
      <td className={styles.actions} aria-colindex={edit + 1}>
        <span className={styles.buttons}>
          <button
            type="button"
            className={styles.action}
            aria-label={texts.edit}
            title={texts.edit}
            data-row={index}
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
            data-row={index}
            data-column={edit + 1}
            data-action="delete"
            tabIndex={active === edit + 1 ? 0 : -1}
          >
            <IconTrash aria-hidden="true" />
          </button>
        </span>
      </td>
    </tr>
  )
}, areRowPropsEqual)

/** A placeholder for columns that are not rendered yet. */
const HiddenColumns = ({ columns }: { columns: number }) =>
  columns > 0 && <td colSpan={columns} aria-hidden="true" />

type GridCellProps = {
  text: string
  index: number
  column: number
  field: Field
  error: string | undefined
  active: boolean
}

function GridCell({ text, index, column, field, error, active }: GridCellProps) {
  return (
    <td
      className={styles.cell}
      aria-colindex={column + 1}
      aria-invalid={error ? true : undefined}
      title={error}
      data-row={index}
      data-column={column}
      data-group={field.group}
      data-figure={isNumeric(field) || undefined}
      tabIndex={active ? 0 : -1}
    >
      {text
        || (error ? null : (
          <span className={styles.none} aria-hidden="true">
            –
          </span>
        ))}
      {error && (
        <span className={styles.message}>
          {text && ' '}
          {error}
        </span>
      )}
    </td>
  )
}

type LeadCellProps = {
  row: GridRow
  index: number
  field: Field
  errors: RowErrors
  active: boolean
}

/** The frozen first cell: row number, order id, and the marks for errors and notices. */
function LeadCell({ row, index, field, errors, active }: LeadCellProps) {
  const errorCount = Object.keys(errors).length
  const own = errors[field.name]
  const notices = row.notices.join(' ')
  return (
    <th
      scope="row"
      className={styles.lead}
      aria-colindex={1}
      aria-invalid={own ? true : undefined}
      title={own ?? (notices || undefined)}
      data-row={index}
      data-column={0}
      tabIndex={active ? 0 : -1}
    >
      <span className={styles.leadLine}>
        <span className={styles.number}>{index + 1}</span>
        <span className={styles.order}>{shownCell(row, field.name)}</span>
        {notices && (
          <span className={styles.notice}>
            <IconInfoCircle aria-hidden="true" />
            <span className="visually-hidden">{notices}</span>
          </span>
        )}
        {errorCount > 0 && (
          <span className={styles.wrong}>
            {errorCount}
            <span className="visually-hidden"> {texts.errorWord(errorCount)}</span>
          </span>
        )}
      </span>
    </th>
  )
}
