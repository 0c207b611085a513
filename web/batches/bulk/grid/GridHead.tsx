/** The heads of the groups and columns. A column's head opens its menu. */
import { IconArrowDown, IconArrowUp, IconChevronDown, IconFilter } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { texts } from '#web/batches/bulk/texts.ts'
import { columnTitle, groupsOf } from './columns.ts'
import type { GridColumn } from './columns.ts'
import { gridTexts } from './texts.ts'
import { placeOf } from './use-grid-keys.ts'
import type { GridModel } from './use-grid.ts'
import styles from './Grid.module.css'
import widths from './GridColumns.module.css'

const MENU_KEYS = new Set(['Enter', ' ', 'F10', 'ContextMenu'])

export function GridHead({ grid, tabStop }: { grid: GridModel; tabStop: boolean }) {
  const { columns, sort, menu } = grid
  const open = (column: GridColumn, opener: HTMLElement) =>
    grid.openMenu({ kind: 'column', column, place: placeOf(opener), opener })
  const handleKey = (event: KeyboardEvent<HTMLElement>, column: GridColumn) => {
    const { key, currentTarget } = event
    event.stopPropagation()
    if (key === 'F10' && !event.shiftKey) return
    if (MENU_KEYS.has(key)) open(column, currentTarget)
    else if (key === 'ArrowDown')
      grid.selectCell({ row: 0, column: columns.indexOf(column) + 1 }, true)
    else if (key === 'ArrowLeft') focusSibling(currentTarget, -1)
    else if (key === 'ArrowRight') focusSibling(currentTarget, 1)
    else return
    event.preventDefault()
  }
  const sorted = (column: GridColumn) =>
    sort?.column !== column.key ? undefined : sort.descending ? 'descending' : 'ascending'
  return (
    <>
      <ColumnWidths columns={columns} />
      <thead>
        <GroupHeads columns={columns} />
        <tr aria-rowindex={2}>
          <th scope="col" aria-colindex={1} className={styles.numberHead}>
            <span className="visually-hidden">{gridTexts.row}</span>
          </th>
          {columns.map((column, index) => {
            const isFiltered = grid.columnFilter(column.key) !== ''
            return (
              <th
                key={column.key}
                scope="col"
                aria-colindex={index + 2}
                aria-sort={sorted(column)}
                aria-haspopup="menu"
                aria-expanded={menu?.kind === 'column' && menu.column === column}
                className={index === 0 ? styles.leadHead : styles.head}
                title={columnTitle(column)}
                data-head={index}
                data-group={column.group}
                data-figure={column.isFigure || undefined}
                data-filtered={isFiltered || undefined}
                tabIndex={tabStop && index === 0 ? 0 : -1}
                onKeyDown={event => handleKey(event, column)}
                onClick={event => open(column, event.currentTarget)}
                onContextMenu={event => {
                  event.preventDefault()
                  open(column, event.currentTarget)
                }}
              >
                <span className={styles.headLine}>
                  <span className={styles.headText}>
                    {column.label}
                    {UNITS[column.key] && <small aria-hidden="true"> {UNITS[column.key]}</small>}
                  </span>
                  <HeadMark sorted={sorted(column)} isFiltered={isFiltered} />
                </span>
              </th>
            )
          })}
          <th scope="col" aria-colindex={columns.length + 2} className={styles.actionsHead}>
            <span className="visually-hidden">{texts.actions}</span>
          </th>
        </tr>
      </thead>
    </>
  )
}

/** As the rows keep them. */
const UNITS: Partial<Record<GridColumn['key'], string>> = { PackageWeight: 'lb', size: 'in' }

function focusSibling(head: HTMLElement, step: number): void {
  const heads = [...(head.parentElement?.querySelectorAll<HTMLElement>('[data-head]') ?? [])]
  const next = heads[heads.indexOf(head) + step]
  next?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

function HeadMark({
  sorted,
  isFiltered,
}: {
  sorted: 'ascending' | 'descending' | undefined
  isFiltered: boolean
}) {
  const Icon =
    sorted === 'ascending'
      ? IconArrowUp
      : sorted === 'descending'
        ? IconArrowDown
        : isFiltered
          ? IconFilter
          : IconChevronDown
  const isPlain = sorted === undefined && !isFiltered
  return <Icon aria-hidden="true" className={styles.headMark} data-plain={isPlain || undefined} />
}

export const ColumnWidths = ({ columns }: { columns: readonly GridColumn[] }) => (
  <colgroup>
    <col className={widths.colNumber} />
    {columns.map((column, index) => (
      <col
        key={column.key}
        className={index === 0 ? widths.colLead : widths[`col-${column.width}`]}
      />
    ))}
    <col className={widths.colActions} />
  </colgroup>
)

/** The first column is frozen, so its group head is split in two. */
export function GroupHeads({ columns }: { columns: readonly GridColumn[] }) {
  const groups = groupsOf(columns)
  const starts = groups.map((_, at) => groups.slice(0, at).reduce((sum, { span }) => sum + span, 2))
  return (
    <tr aria-rowindex={1}>
      <td className={styles.numberHead} aria-hidden="true" />
      {groups.map(({ group, more, span }, at) =>
        at === 0 ? (
          <LeadGroup key={starts[at]} group={group} span={span} />
        ) : (
          <th
            key={starts[at]}
            scope="colgroup"
            colSpan={span}
            className={styles.groupHead}
            data-group={group}
            aria-colindex={starts[at]}
          >
            <span>
              {group}
              {more && <span className="visually-hidden">{gridTexts.moreOf}</span>}
            </span>
          </th>
        ),
      )}
      <td className={styles.actionsHead} aria-hidden="true" />
    </tr>
  )
}

function LeadGroup({ group, span }: { group: string; span: number }) {
  return (
    <>
      <th scope="colgroup" className={styles.leadHead} aria-colindex={2} aria-colspan={span}>
        {group}
      </th>
      {span > 1 && <td className={styles.groupHead} colSpan={span - 1} aria-hidden="true" />}
    </>
  )
}
