/** The beginning of a large file while the rest is read: like the table, without anything to edit. */
import { memo, useMemo } from 'react'
import { texts } from '#web/batches/bulk/texts.ts'
import { shownCell } from '#web/batches/grid-row.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { cx } from '#web/ui/cx.ts'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import { columnTitle, extraFields, fitOf, foldableColumns, gridColumns } from './columns.ts'
import type { GridColumn, GridFit } from './columns.ts'
import { ColumnWidths, GroupHeads } from './GridHead.tsx'
import { sizeText } from './row-filter.ts'
import { addressOf } from './RowCards.tsx'
import { gridTexts } from './texts.ts'
import styles from './Grid.module.css'
import widths from './GridColumns.module.css'
import cards from './RowCards.module.css'

const NONE: ReadonlySet<string> = new Set()

/** Drawn once: the page around it is drawn at each step of the progress. */
export const FirstRows = memo(function FirstRows({ rows, width }: FirstRowsProps) {
  const phone = useIsPhone()
  return phone ? <FirstCards rows={rows} /> : <FirstTable rows={rows} width={width} />
})

type FirstRowsProps = { rows: readonly GridRow[]; width: number | null }

function FirstTable({ rows, width }: FirstRowsProps) {
  const { fit, columns } = useMemo(() => shownColumns(rows, width), [rows, width])
  return (
    <div
      className={cx(styles.scroller, widths.widths)}
      role="region"
      aria-label={texts.reading.firstRows}
      aria-busy="true"
      data-first-rows
      data-fit={fit}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards must reach a scrolling box
      tabIndex={0}
    >
      <table className={styles.table}>
        <ColumnWidths columns={columns} />
        <thead>
          <GroupHeads columns={columns} />
          <tr>
            <th scope="col" className={styles.numberHead}>
              <span className="visually-hidden">{gridTexts.row}</span>
            </th>
            {columns.map((column, at) => (
              <th
                key={column.key}
                scope="col"
                className={at === 0 ? styles.leadHead : styles.head}
                title={columnTitle(column)}
                data-group={column.group}
                data-figure={column.isFigure || undefined}
              >
                {column.label}
              </th>
            ))}
            <td className={styles.actionsHead} aria-hidden="true" />
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={row.id} className={styles.row}>
              <th scope="row" className={styles.number}>
                <span className={styles.numberLine}>{index + 1}</span>
              </th>
              {columns.map((column, at) => (
                <td
                  key={column.key}
                  className={at === 0 ? styles.lead : styles.cell}
                  data-group={column.group}
                  data-figure={column.isFigure || undefined}
                >
                  {cellText(row, column)}
                </td>
              ))}
              <td className={styles.actions} aria-hidden="true" />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** As the table shows them: without those of one sender and those empty in all rows. */
function shownColumns(
  rows: readonly GridRow[],
  width: number | null,
): { fit: GridFit; columns: GridColumn[] } {
  const extra = extraFields(rows)
  const { sender, empty } = foldableColumns(rows, gridColumns(extra), NONE)
  const fit = fitOf(width, !empty.has('ToStreet2'))
  const columns = gridColumns(extra, false, fit).filter(
    ({ key }) => !sender.has(key) && !empty.has(key),
  )
  return { fit, columns }
}

const cellText = (row: GridRow, { key }: GridColumn): string =>
  key === 'size' ? sizeText(row) : key === 'price' || key === 'file' ? '' : shownCell(row, key)

const FirstCards = ({ rows }: { rows: readonly GridRow[] }) => (
  <ul
    className={cards.firstCards}
    aria-label={texts.reading.firstRows}
    aria-busy="true"
    data-first-rows
  >
    {rows.map((row, index) => (
      <li key={row.id} className={cards.card}>
        <div className={cards.text}>
          <p className={cards.name}>
            <span className={cards.number}>{index + 1}</span>
            {shownCell(row, 'ToRecipientName') || '–'}
          </p>
          <p>{addressOf(row)}</p>
          <p className={cards.parcel}>
            {texts.parcel(sizeText(row) || '–', shownCell(row, 'PackageWeight') || '–')}
          </p>
        </div>
      </li>
    ))}
  </ul>
)
