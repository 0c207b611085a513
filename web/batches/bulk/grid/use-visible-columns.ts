import { startTransition, useEffect, useState } from 'react'
import type { UIEvent } from 'react'

/** Places of the first and last rendered column. The two frozen ones are always rendered. */
export type VisibleColumns = { first: number; last: number }

/** Rendered beyond the visible part, px. */
const MARGIN_PX = 240
/** Before the first measurement: about the narrowest column, px. */
const MIN_COLUMN_PX = 90

/**
 * While the table scrolls, and at the first render, new rows render only the visible columns, about
 * a third. That keeps scrolling smooth. `visibleColumns` is null when all may be rendered.
 */
export function useVisibleColumns(scrolling: boolean): {
  visibleColumns: VisibleColumns | null
  onScroll: (event: UIEvent<HTMLElement>) => void
} {
  const [visible, setVisible] = useState<VisibleColumns>(() => ({
    first: 2,
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

/** Measures the column heads, which are always rendered. */
function measureVisibleColumns(scroller: HTMLElement): VisibleColumns {
  const begin = scroller.scrollLeft - MARGIN_PX
  const end = scroller.scrollLeft + scroller.clientWidth + MARGIN_PX
  const heads = [...scroller.querySelectorAll<HTMLElement>('thead > tr:last-child > th')]
  const inSight = heads
    .map((head, index) => ({
      index,
      from: head.offsetLeft,
      to: head.offsetLeft + head.offsetWidth,
    }))
    .slice(2, -1)
    .filter(({ from, to }) => to > begin && from < end)
  return { first: inSight[0]?.index ?? 2, last: inSight.at(-1)?.index ?? heads.length - 2 }
}
