/** The head of a column. For a sortable one, a button that shows and changes the order. */
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { announce } from './announce.tsx'
import { texts } from './texts.ts'
import styles from './HeadCell.module.css'

type SortOrder = 'asc' | 'desc'

/** `firstOrder` of names is 'asc', of figures and dates 'desc'. */
export type SortKey = { by: string; firstOrder: SortOrder }

export type Sorting = {
  by: string
  order: SortOrder
  onSort: (by: string, order: SortOrder) => void
}

type HeaderCellColumn = { head: string; align?: 'end'; hideHead?: boolean; sort?: SortKey }

const ARIA = { asc: 'ascending', desc: 'descending' } as const
const ICONS = { asc: IconArrowUp, desc: IconArrowDown }

export function HeaderCell({
  column: { head, align, hideHead, sort },
  sorting,
}: {
  column: HeaderCellColumn
  sorting?: Sorting
}) {
  if (hideHead)
    return (
      <th scope="col" data-align={align}>
        <span className="visually-hidden">{head}</span>
      </th>
    )
  if (!sort || !sorting)
    return (
      <th scope="col" data-align={align}>
        {head}
      </th>
    )
  const now = sorting.by === sort.by ? sorting.order : null
  const next = now === null ? sort.firstOrder : now === 'asc' ? 'desc' : 'asc'
  const Icon = now ? ICONS[now] : IconArrowsSort
  return (
    <th scope="col" data-align={align} aria-sort={now ? ARIA[now] : 'none'}>
      <button
        type="button"
        className={styles.sort}
        data-now={now ?? undefined}
        onClick={() => {
          sorting.onSort(sort.by, next)
          announce(texts.sortedBy(head, ARIA[next]))
        }}
      >
        {head}
        <Icon aria-hidden="true" />
      </button>
    </th>
  )
}
