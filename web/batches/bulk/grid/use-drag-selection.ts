import { useEffect, useEffectEvent, useState } from 'react'
import type { PointerEvent, RefObject } from 'react'
import { cellOf } from './use-grid-keys.ts'
import type { GridModel } from './use-grid.ts'

/** Within this distance of the edge, a drag scrolls the table, px. */
const EDGE_PX = 32
const SCROLL_PX_PER_FRAME = 16

/** Ranges by mouse: a press and a drag, Shift and a click, and rows by their numbers. */
export function useDragSelection(
  grid: GridModel,
  scroller: RefObject<HTMLElement | null>,
): { onPointerDown: (event: PointerEvent) => void } {
  const [dragging, setDragging] = useState(false)

  const onPointerDown = (event: PointerEvent) => {
    const { target, button, shiftKey, pointerType } = event
    const cell = cellOf(target)
    const inControl = target instanceof Element && target.closest('button, input, select')
    if (!cell || inControl || button !== 0) return
    const ctrl = event.ctrlKey || event.metaKey
    if (shiftKey) grid.extendTo(cell, false)
    else if (cell.column === 0) grid.selectRow(cell, ctrl, false)
    else grid.selectCell(cell, false)
    // A finger scrolls.
    if (pointerType === 'mouse') setDragging(true)
  }

  const dragTo = useEffectEvent((x: number, y: number) => {
    const cell = cellOf(document.elementFromPoint(x, y))
    if (!cell || cell.column > grid.lastColumn) return
    const { head } = grid.selection
    if (cell.row !== head.row || cell.column !== head.column) grid.extendTo(cell, false)
  })
  useEffect(() => {
    if (!dragging) return
    let pointer = { x: 0, y: 0 }
    let frame = 0
    const scrollAtEdge = () => {
      const box = scroller.current?.getBoundingClientRect()
      if (!box || !scroller.current) return
      const { x, y } = pointer
      const down = y > box.bottom - EDGE_PX ? 1 : y < box.top + 3 * EDGE_PX ? -1 : 0
      const right = x > box.right - EDGE_PX ? 1 : x < box.left + EDGE_PX ? -1 : 0
      scroller.current.scrollBy(right * SCROLL_PX_PER_FRAME, down * SCROLL_PX_PER_FRAME)
      if (down !== 0 || right !== 0) dragTo(x, y)
      frame = requestAnimationFrame(scrollAtEdge)
    }
    const move = (event: globalThis.PointerEvent) => {
      // Before the first move, the pointer is where the press was and must not scroll.
      if (frame === 0) frame = requestAnimationFrame(scrollAtEdge)
      pointer = { x: event.clientX, y: event.clientY }
      dragTo(event.clientX, event.clientY)
    }
    const stop = () => setDragging(false)
    addEventListener('pointermove', move)
    addEventListener('pointerup', stop)
    addEventListener('pointercancel', stop)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('pointermove', move)
      removeEventListener('pointerup', stop)
      removeEventListener('pointercancel', stop)
    }
  }, [dragging, scroller])
  return { onPointerDown }
}
