/**
 * A list: a table where its own box has room for the columns, else two-line cards. It keeps its height while loading and on a
 * short last page, so that the pagination does not move under the pointer.
 */
import type { CSSProperties, MouseEvent, ReactNode } from 'react'
import { EmptyState } from './EmptyState.tsx'
import type { EmptyStateProps } from './EmptyState.tsx'
import { LoadErrorLook } from './ErrorLine.tsx'
import { fadeAtEdges } from './fade-at-edges.ts'
import { HeaderCell } from './HeadCell.tsx'
import type { Sorting, SortKey } from './HeadCell.tsx'
import { Pagination } from './Pagination.tsx'
import { groupsOf } from './row-groups.ts'
import { RowCards } from './RowCards.tsx'
import type { LoadingCard, RowCard } from './RowCards.tsx'
import { SelectAllCheckbox, SelectRowCheckbox, SelectionBar } from './Selection.tsx'
import { Skeleton } from './Skeleton.tsx'
import { texts } from './texts.ts'
import type { Tone } from './tone.ts'
import { useBoxWidth } from './use-box-width.ts'
import { useDelayedLoading } from './use-delayed-loading.ts'
import type { Paging } from './use-paging.ts'
import { useKeptFocus } from './use-return-focus.ts'
import type { Selection } from './use-selection.ts'
import { useIsPhone } from './use-viewport.ts'
import styles from './ListTable.module.css'

export type Column<Row> = {
  head: string
  cell: (row: Row) => ReactNode
  /** For numbers, dates and actions. */
  align?: 'end'
  /** Only screen readers get the head: for columns of buttons. */
  hideHead?: boolean
  /** Needs `sorting`. */
  sort?: SortKey
  /** Keeps the text on one line per line, cut with an ellipsis: for names. The pointer shows it whole. */
  clip?: boolean
  /** px of the table's width below which the column is left out: for what matters least. */
  foldBelow?: number
  /** CSS widths of the lines of a usual cell: placeholders so wide keep columns in place when rows arrive. */
  loadingLines?: readonly string[]
  /** CSS width. Once a column has one, no column moves when its content changes. */
  width?: string
  /** Percent of the table, as far as the contents of all columns fit: heads stay in place when rows arrive. */
  share?: number
}

export type ListTableProps<Row> = {
  title: string
  /** At the end of the title's line. */
  action?: ReactNode
  /** False where the page has the same title, and nothing else would stand in the line. */
  titleWhileEmpty?: boolean
  columns: Column<Row>[]
  /** Rows of this page; undefined while loading. */
  rows: Row[] | undefined
  rowKey: (row: Row) => string
  /** `wide`: see `RowCards`. */
  card: (row: Row, wide: boolean) => RowCard
  /** Which parts the cards have, so that placeholders are as high as they are. */
  loadingCard?: (wide: boolean) => LoadingCard
  /** px of the list's width below which rows are cards. Depends on the number of columns when undefined; 0 for never. */
  cardsBelow?: number
  rowTone?: (row: Row) => Tone | undefined
  /** Names the group of a row, such as its month; a divider stands where the name changes. */
  groupOf?: (row: Row) => string
  paging: Paging
  /** The pagination has its room while loading: for lists that mostly have several pages. */
  expectsPages?: boolean
  /** 60 px rows with two lines (default) or 44 px with one. */
  lines?: 1 | 2
  /** Shown beside the title while loading. */
  loadingText?: string
  empty: Omit<EmptyStateProps, 'heading'>
  /** Replaces the rows when they could not be loaded. */
  errorNotice?: ReactNode
  /** A short text beside the title, such as the number of rows. */
  note?: ReactNode
  /** Fields below the title that filter the list. */
  filters?: ReactNode
  /** A search that is the only filter: beside the title where there is room. */
  search?: ReactNode
  /** For columns with `sort`. Phones have no column heads; offer the order in `filters` there. */
  sorting?: Sorting
  /** Adds checkboxes. While rows are selected, a bar shows `summary` and `actions`. */
  selection?: Selection<Row> & { summary: string; actions: ReactNode }
}

/** Room for a column and its padding, as a rule; six columns and more need 900 px. */
const COLUMN_PX = 150
const MOST_CARDS_BELOW = 900
/** Room for the columns of a wide card. */
const WIDE_CARD_PX = 560

export function ListTable<Row>(props: ListTableProps<Row>) {
  const {
    title,
    titleWhileEmpty = true,
    action,
    rows,
    paging,
    expectsPages = false,
    lines = 2,
    loadingText,
    empty,
    errorNotice,
    note,
    filters,
    search,
    columns,
    cardsBelow = Math.min(MOST_CARDS_BELOW, columns.length * COLUMN_PX),
  } = props
  const phone = useIsPhone()
  const { box, width } = useBoxWidth<HTMLElement>()
  useKeptFocus(box)
  const asCards = cardsBelow > 0 && (phone || (width !== null && width < cardsBelow))
  // A list in which nothing can be selected has no column for it.
  const { rows: selected = [] } = props.selection ?? {}
  const isSelectable =
    rows === undefined || selected.length > 0 || rows.some(row => props.selection?.canSelect(row))
  const selection = isSelectable ? props.selection : undefined
  const wideCards = width !== null && width >= WIDE_CARD_PX
  const loading = rows === undefined && !errorNotice
  const isEmpty = rows?.length === 0 && !errorNotice
  const hasBar = titleWhileEmpty || !isEmpty
  // Cards differ in height: only a short last page is held.
  const isHeld = paging.pages > 1 && (!asCards || paging.page === paging.pages)
  const reservedRows = isHeld || loading ? paging.size : 0
  return (
    <section ref={box} className={styles.card} aria-label={title} tabIndex={-1}>
      {hasBar && (
        <div className={styles.bar}>
          <h2 className={styles.title}>{title}</h2>
          {loading && loadingText && (
            <span className={styles.loading} role="status">
              {loadingText}
            </span>
          )}
          {note && <span className={styles.note}>{note}</span>}
          <div className={styles.tools}>
            {search && <div className={styles.search}>{search}</div>}
            {action && <div className={styles.action}>{action}</div>}
          </div>
        </div>
      )}
      {filters && <div className={styles.filters}>{filters}</div>}
      <div
        key={isEmpty ? 'empty' : 'rows'}
        className={styles.hold}
        data-lines={lines}
        data-cards={asCards ? (wideCards ? 'wide' : 'narrow') : undefined}
        style={{ '--rows': reservedRows } as CSSProperties}
      >
        {errorNotice ? (
          <div className={styles.failed}>
            <LoadErrorLook value="block">{errorNotice}</LoadErrorLook>
          </div>
        ) : isEmpty ? (
          <EmptyState {...empty} heading={hasBar ? 'h3' : 'h2'} />
        ) : asCards ? (
          <RowCards {...props} selection={selection} wide={wideCards} loadingCards={paging.size} />
        ) : (
          <RowsAsTable {...props} selection={selection} columns={columnsFor(columns, width)} />
        )}
      </div>
      {selection && <SelectionBar selection={selection} />}
      {loading && expectsPages && paging.pages <= 1 && (
        <div className={styles.foot}>
          <LoadingPages />
        </div>
      )}
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

const columnsFor = <Row,>(columns: Column<Row>[], width: number | null): Column<Row>[] =>
  width === null ? columns : columns.filter(({ foldBelow = 0 }) => width >= foldBelow)

/** The whole text as a tooltip while it is cut. */
const showCutText = ({ currentTarget: cell }: MouseEvent<HTMLElement>) => {
  const isCut = [cell, ...cell.querySelectorAll<HTMLElement>('*')].some(
    ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
  )
  cell.title = isCut ? cell.innerText : ''
}

function Cell<Row>({ column: { cell, clip, align }, row }: { column: Column<Row>; row: Row }) {
  return (
    <td data-align={align}>
      {clip ? (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- only sets a tooltip
        <div className={styles.clip} onMouseEnter={showCutText}>
          {cell(row)}
        </div>
      ) : (
        cell(row)
      )}
    </td>
  )
}

function RowsAsTable<Row>({
  title,
  columns,
  rows,
  rowKey,
  rowTone,
  groupOf,
  paging,
  selection,
  sorting,
}: ListTableProps<Row>) {
  const waiting = useDelayedLoading(rows === undefined)
  return (
    <div
      ref={fadeAtEdges}
      className={styles.scroll}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls sideways must be reached by keyboard
      tabIndex={0}
      role="group"
      aria-label={texts.tableOf(title)}
    >
      <table
        className={styles.table}
        data-fixed={columns.some(({ width }) => width !== undefined) || undefined}
        aria-busy={rows === undefined || undefined}
      >
        <colgroup>
          {selection && <col />}
          {columns.map(({ head, share, width = share && `${share}%` }) => (
            <col key={head} style={{ width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className={styles.pick}>
                {rows === undefined && waiting && <LoadingCheckbox />}
                <SelectAllCheckbox selection={selection} rows={rows} />
              </th>
            )}
            {columns.map(column => (
              <HeaderCell key={column.head} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        {groupsOf(rows ?? [], groupOf).map(group => (
          <tbody key={group.key}>
            {group.name !== null && (
              <tr>
                <th
                  scope="rowgroup"
                  colSpan={columns.length + (selection ? 1 : 0)}
                  className={styles.group}
                >
                  {group.name}
                </th>
              </tr>
            )}
            {group.rows.map(row => (
              <tr key={rowKey(row)} data-tone={rowTone?.(row)}>
                {selection && (
                  <td className={styles.pick}>
                    <SelectRowCheckbox selection={selection} row={row} />
                  </td>
                )}
                {columns.map(column => (
                  <Cell key={column.head} column={column} row={row} />
                ))}
              </tr>
            ))}
          </tbody>
        ))}
        {rows === undefined && waiting && (
          <tbody>
            {Array.from({ length: paging.size }, (_, i) => (
              <tr key={i} aria-hidden="true">
                {selection && (
                  <td className={styles.pick}>
                    <LoadingCheckbox />
                  </td>
                )}
                {columns.map(({ head, align, share, loadingLines = ['70%'] }) => (
                  <td key={head} data-align={align}>
                    <div className={styles.bars} data-share={share}>
                      {loadingLines.map((width, line) => (
                        <Skeleton key={line} width={width} />
                      ))}
                    </div>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        )}
      </table>
    </div>
  )
}

const LoadingCheckbox = () => (
  <span className={styles.loadingTick}>
    <Skeleton width="var(--space-5)" height="var(--space-5)" />
  </span>
)

function LoadingPages() {
  const waiting = useDelayedLoading(true)
  return (
    <div className={styles.loadingPages}>
      {waiting && <Skeleton width="calc(6 * var(--control-small))" />}
    </div>
  )
}
