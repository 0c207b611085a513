import { useLayoutEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'

/** Width of an element in px, 0 before the first layout. A plot is drawn for this width. */
export function useWidth(): { ref: RefObject<HTMLDivElement | null>; widthPx: number } {
  const ref = useRef<HTMLDivElement>(null)
  const [widthPx, setWidthPx] = useState(0)
  useLayoutEffect(() => {
    const box = ref.current
    if (!box) return
    setWidthPx(box.clientWidth)
    const observer = new ResizeObserver(() => setWidthPx(box.clientWidth))
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  return { ref, widthPx }
}
