/**
 * A list in a card: a real table from 768 px, two-line cards below. It holds its height while loading and on a short last
 * page, so that the pagination never moves under the pointer.
 */
import type { CSSProperties, ReactNode } from 'react'
import { HeaderCell } from './HeadCell.tsx'
import type { Sorting, SortKey } from './HeadCell.tsx'
import { Pagination } from './Pagination.tsx'
import { SelectAllCheckbox, SelectRowCheckbox, SelectionBar } from './Selection.tsx'
import { Skeleton } from './Skeleton.tsx'
import { texts } from './texts.ts'
import type { Tone } from './tone.ts'
import { useDelayedLoading } from './use-delayed-loading.ts'
import type { Paging } from './use-paging.ts'
import type { Selection } from './use-selection.ts'
import { useIsPhone } from './use-viewport.ts'
import styles from './ListTable.module.css'

export type Column<Row> = {
  head: string
  cell: (row: Row) => ReactNode
  /** Numbers, dates and actions stand at the end. */
  align?: 'end'
  /** The head is for readers only: columns of buttons. */
  hideHead?: boolean
  /** The list can be sorted by it; needs `sorting`. */
  sort?: SortKey
}

/** A row on a phone: title and details at the left, `aside` at the right, buttons below. */
export type RowCard = {
  title: ReactNode
  details?: ReactNode[]
  aside?: ReactNode[]
  actions?: ReactNode
}

export type ListTableProps<Row> = {
  title: string
  /** A link or button at the end of the title's line. */
  action?: ReactNode
  columns: Column<Row>[]
  /** The rows of this page; undefined while they are loading. */
  rows: Row[] | undefined
  rowKey: (row: Row) => string
  card: (row: Row) => RowCard
  /** Tints the row by its status. */
  rowTone?: (row: Row) => Tone
  paging: Paging
  /** 60 px rows with two lines (default) or 44 px with one. */
  lines?: 1 | 2
  /** Shown beside the title while loading. */
  loadingText?: string
  /** The specified sentence, one line on what will appear here, one button. */
  empty: { title: string; text?: string; action?: ReactNode }
  /** In place of the rows when they cannot be had. */
  errorNotice?: ReactNode
  /** How many rows there are, or another short word beside the title. */
  note?: ReactNode
  /** A line of fields below the title, which narrow the list. */
  filters?: ReactNode
  /** Where columns say `sort`: how the rows are sorted now, and who is asked for another way. Phones have no heads: see `tools`. */
  sorting?: Sorting
  /** Rows have boxes to choose them by; while some are chosen a bar says so, with `acts` that are done to all of them. */
  selection?: Selection<Row> & { summary: string; actions: ReactNode }
}

export function ListTable<Row>(props: ListTableProps<Row>) {
  const {
    title,
    action,
    rows,
    paging,
    lines = 2,
    loadingText,
    empty,
    errorNotice,
    note,
    filters,
    selection,
  } = props
  const phone = useIsPhone()
  const loading = rows === undefined && !errorNotice
  const waiting = useDelayedLoading(loading) || loading
  const hold = paging.pages > 1 || waiting ? paging.size : 0
  return (
    <section className={styles.card} aria-label={title}>
      <div className={styles.bar}>
        <h2 className={styles.title}>{title}</h2>
        {loading && loadingText && (
          <span className={styles.loading} role="status">
            {loadingText}
          </span>
        )}
        {note && <span className={styles.note}>{note}</span>}
        {action && <div className={styles.action}>{action}</div>}
      </div>
      {filters && <div className={styles.tools}>{filters}</div>}
      <div
        className={styles.hold}
        data-lines={lines}
        data-cards={phone || undefined}
        style={{ '--rows': hold } as CSSProperties}
      >
        {errorNotice ? (
          <div className={styles.failed}>{errorNotice}</div>
        ) : rows?.length === 0 ? (
          <EmptyState {...empty} />
        ) : phone ? (
          <RowsAsCards {...props} />
        ) : (
          <RowsAsTable {...props} />
        )}
      </div>
      {selection && <SelectionBar selection={selection} />}
      {paging.pages > 1 && (
        <div className={styles.foot}>
          <Pagination
            page={paging.page}
            pages={paging.pages}
            onPage={paging.setPage}
            name={title}
          />
        </div>
      )}
    </section>
  )
}

function RowsAsTable<Row>({
  title,
  columns,
  rows,
  rowKey,
  rowTone,
  paging,
  selection,
  sorting,
}: ListTableProps<Row>) {
  const waiting = useDelayedLoading(rows === undefined)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls sideways must be reached by keyboard
    <div className={styles.scroll} tabIndex={0} role="group" aria-label={texts.tableOf(title)}>
      <table className={styles.table} aria-busy={rows === undefined || undefined}>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className={styles.pick}>
                <SelectAllCheckbox selection={selection} rows={rows} />
              </th>
            )}
            {columns.map(column => (
              <HeaderCell key={column.head} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows?.map(row => (
            <tr key={rowKey(row)} data-tone={rowTone?.(row)}>
              {selection && (
                <td className={styles.pick}>
                  <SelectRowCheckbox selection={selection} row={row} />
                </td>
              )}
              {columns.map(({ head, cell, align }) => (
                <td key={head} data-align={align}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
          {rows === undefined
            && waiting
            && Array.from({ length: paging.size }, (_, i) => (
              <tr key={i} aria-hidden="true">
                {selection && (
                  <td className={styles.pick}>
                    <Skeleton width="70%" />
                  </td>
                )}
                {columns.map(({ head, align }) => (
                  <td key={head} data-align={align}>
                    <Skeleton width="70%" />
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  )
}

function RowsAsCards<Row>({ rows, rowKey, rowTone, card, paging, selection }: ListTableProps<Row>) {
  const waiting = useDelayedLoading(rows === undefined)
  if (rows === undefined) {
    if (!waiting) return null
    const items = Array.from({ length: paging.size }, (_, i) => (
      <div key={i} className={styles.item}>
        <Skeleton width="60%" />
      </div>
    ))
    return <div aria-hidden="true">{items}</div>
  }
  return (
    <ul className={styles.list}>
      {rows.map(row => {
        const { title, details = [], aside = [], actions } = card(row)
        return (
          <li
            key={rowKey(row)}
            className={styles.item}
            data-tone={rowTone?.(row)}
            data-pick={selection ? true : undefined}
          >
            {selection && (
              <div className={styles.pick}>
                <SelectRowCheckbox selection={selection} row={row} />
              </div>
            )}
            <div className={styles.main}>
              <div className={styles.name}>{title}</div>
              {details.map((detail, i) => (
                <div key={i} className={styles.detail}>
                  {detail}
                </div>
              ))}
            </div>
            {aside.length > 0 && (
              <div className={styles.aside}>
                {aside.map((piece, i) => (
                  <div key={i}>{piece}</div>
                ))}
              </div>
            )}
            {actions && <div className={styles.actions}>{actions}</div>}
          </li>
        )
      })}
    </ul>
  )
}

type EmptyStateProps = {
  title: string
  text?: string
  action?: ReactNode
  /** How deep it stands: in a list (default), right below the page's title, or in place of the whole page. */
  heading?: 'h1' | 'h2' | 'h3'
}

/** Nothing here yet: the sentence, what will appear, the way to make it appear. */
export function EmptyState({ title, text, action, heading: Heading = 'h3' }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <Heading className={styles.emptyTitle}>{title}</Heading>
      {text && <p className={styles.emptyText}>{text}</p>}
      {action}
    </div>
  )
}
