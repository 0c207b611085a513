/** A horizontally scrolling row: by scrollbar, touch, dragging with the mouse, or arrow keys. */
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { useRef } from 'react'
import { fadeAtEdges } from './fade-at-edges.ts'
import styles from './ScrollRow.module.css'

/** px scrolled per px of mouse movement. */
const DRAG_SPEED = 2

type ScrollRowProps = {
  /** Accessible name of the content; differs from the name of the section around it. */
  name: string
  children: ReactNode
}

export function ScrollRow({ name, children }: ScrollRowProps) {
  const drag = useRef<{ x: number; left: number } | null>(null)

  const begin = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget
    const onScrollbar = event.clientY - box.getBoundingClientRect().top > box.clientHeight
    // Touch scrolls natively.
    if (event.pointerType !== 'mouse' || event.button !== 0 || onScrollbar) return
    drag.current = { x: event.clientX, left: box.scrollLeft }
    box.setPointerCapture(event.pointerId)
  }
  const move = (event: PointerEvent<HTMLDivElement>) => {
    if (drag.current)
      event.currentTarget.scrollLeft =
        drag.current.left - (event.clientX - drag.current.x) * DRAG_SPEED
  }
  const end = () => {
    drag.current = null
  }
  const step = (event: KeyboardEvent<HTMLDivElement>) => {
    const { key, currentTarget: box } = event
    const left = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
    const edge = key === 'Home' ? 0 : key === 'End' ? box.scrollWidth : null
    if (event.target !== box || (left === 0 && edge === null)) return
    event.preventDefault()
    const width = box.firstElementChild?.getBoundingClientRect().width ?? box.clientWidth
    if (edge === null) box.scrollBy({ left: left * width })
    else box.scrollTo({ left: edge })
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- moved by keys
    <div
      ref={fadeAtEdges}
      role="region"
      aria-label={name}
      className={styles.row}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- moved by keys
      tabIndex={0}
      onKeyDown={step}
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onLostPointerCapture={end}
    >
      {children}
    </div>
  )
}
