/** One row of the grid, at rest. Drawn again only when its row, its errors, its active cell or what is to be drawn of it changes. */
import { IconInfoCircle, IconPencil, IconTrash } from '@tabler/icons-react'
import { memo } from 'react'
import type { RowErrors } from '#contract/row-rules.ts'
import type { Field, GridRow } from '#contract/rows.ts'
import { isFigure } from './columns.ts'
import { texts } from './texts.ts'
import type { Sight } from './use-sight.ts'
import styles from './Grid.module.css'

/** Rows before the first one: the groups and the heads. */
export const HEAD_ROWS = 2

type RowViewProps = {
  row: GridRow
  /** From 0. */
  place: number
  columns: readonly Field[]
  errors: RowErrors
  /** The column that takes focus in this row, -1 for none. */
  active: number
  /** The columns to draw; null for all. */
  sight: Sight | null
}

/** A row that was drawn whole stays so: only what it shows makes it be drawn again. */
function isSame(before: RowViewProps, after: RowViewProps): boolean {
  const asWide = before.sight === null || before.sight === after.sight
  return (
    asWide
    && before.row === after.row
    && before.place === after.place
    && before.columns === after.columns
    && before.errors === after.errors
    && before.active === after.active
  )
}

/** Clicks and keys are heard by the grid, which finds the cell by `data-row` and `data-column`. */
export const RowView = memo(function RowView({
  row,
  place,
  columns,
  errors,
  active,
  sight,
}: RowViewProps) {
  const edit = columns.length
  const lead = columns[0]
  const { first, last } = sight ?? { first: 1, last: edit - 1 }
  return (
    <tr aria-rowindex={place + 1 + HEAD_ROWS} className={styles.row}>
      {lead && (
        <LeadCell row={row} place={place} field={lead} errors={errors} active={active === 0} />
      )}
      <Blank columns={first - 1} />
      {columns.map(
        (field, column) =>
          column >= first
          && column <= last && (
            <Cell
              key={field.name}
              text={row[field.name]}
              place={place}
              column={column}
              field={field}
              error={errors[field.name]}
              active={active === column}
            />
          ),
      )}
      <Blank columns={edit - 1 - last} />
      <td className={styles.actions} aria-colindex={edit + 1}>
        <span className={styles.buttons}>
          <button
            type="button"
            className={styles.act}
            aria-label={texts.edit}
            title={texts.edit}
            data-row={place}
            data-column={edit}
            data-act="edit"
            tabIndex={active === edit ? 0 : -1}
          >
            <IconPencil aria-hidden="true" />
          </button>
          <button
            type="button"
            className={styles.act}
            aria-label={texts.remove}
            title={texts.remove}
            data-row={place}
            data-column={edit + 1}
            data-act="delete"
            tabIndex={active === edit + 1 ? 0 : -1}
          >
            <IconTrash aria-hidden="true" />
          </button>
        </span>
      </td>
    </tr>
  )
}, isSame)

/** In place of columns that are not drawn yet. */
const Blank = ({ columns }: { columns: number }) =>
  columns > 0 && <td colSpan={columns} aria-hidden="true" />

type CellProps = {
  text: string
  place: number
  column: number
  field: Field
  error: string | undefined
  active: boolean
}

function Cell({ text, place, column, field, error, active }: CellProps) {
  return (
    <td
      className={styles.cell}
      aria-colindex={column + 1}
      aria-invalid={error ? true : undefined}
      title={error}
      data-row={place}
      data-column={column}
      data-group={field.group}
      data-figure={isFigure(field) || undefined}
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

type LeadProps = { row: GridRow; place: number; field: Field; errors: RowErrors; active: boolean }

/** The frozen first cell: the row's number, its order id, and how much is wrong or odd further to the right. */
function LeadCell({ row, place, field, errors, active }: LeadProps) {
  const wrong = Object.keys(errors).length
  const own = errors[field.name]
  const notices = row.notices.join(' ')
  return (
    <th
      scope="row"
      className={styles.lead}
      aria-colindex={1}
      aria-invalid={own ? true : undefined}
      title={own ?? (notices || undefined)}
      data-row={place}
      data-column={0}
      tabIndex={active ? 0 : -1}
    >
      <span className={styles.leadLine}>
        <span className={styles.number}>{place + 1}</span>
        <span className={styles.order}>{row[field.name]}</span>
        {notices && (
          <span className={styles.notice}>
            <IconInfoCircle aria-hidden="true" />
            <span className="visually-hidden">{notices}</span>
          </span>
        )}
        {wrong > 0 && (
          <span className={styles.wrong}>
            {wrong}
            <span className="visually-hidden"> {texts.errorWord(wrong)}</span>
          </span>
        )}
      </span>
    </th>
  )
}
