import { startTransition, useEffect, useState } from 'react'
import type { UIEvent } from 'react'

/** Places of the first and the last column that are drawn; the frozen ones are drawn always. */
export type VisibleColumns = { first: number; last: number }

/** A little more than is seen, px: what comes in from the side is there already. */
const MARGIN_PX = 240
/** Before anything was measured: no column is much narrower than this, px. */
const MIN_COLUMN_PX = 90

/**
 * A row that comes into sight while the table is scrolled, or for the very first time, begins with the columns that can be seen, a
 * third of all: so the page keeps up with the hand. `sight` is null as soon as there is time for all of them; `look` hears the scroller.
 */
export function useVisibleColumns(scrolling: boolean): {
  visibleColumns: VisibleColumns | null
  onScroll: (event: UIEvent<HTMLElement>) => void
} {
  const [visible, setVisible] = useState<VisibleColumns>(() => ({
    first: 1,
    last: Math.ceil(window.innerWidth / MIN_COLUMN_PX),
  }))
  const [rendered, setRendered] = useState(false)
  useEffect(() => startTransition(() => setRendered(true)), [])
  const onScroll = ({ currentTarget }: UIEvent<HTMLElement>) => {
    const now = measureVisibleColumns(currentTarget)
    setVisible(before => (before.first === now.first && before.last === now.last ? before : now))
  }
  return { visibleColumns: scrolling || !rendered ? visible : null, onScroll }
}

/** By the heads, which are always drawn. */
function measureVisibleColumns(scroller: HTMLElement): VisibleColumns {
  const begin = scroller.scrollLeft - MARGIN_PX
  const end = scroller.scrollLeft + scroller.clientWidth + MARGIN_PX
  const heads = [...scroller.querySelectorAll<HTMLElement>('thead > tr:last-child > th')]
  const inSight = heads
    .map((head, index) => ({
      place: index,
      from: head.offsetLeft,
      to: head.offsetLeft + head.offsetWidth,
    }))
    .slice(1, -1)
    .filter(({ from, to }) => to > begin && from < end)
  return { first: inSight[0]?.place ?? 1, last: inSight.at(-1)?.place ?? heads.length - 2 }
}
