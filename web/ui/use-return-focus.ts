import { useEffect } from 'react'

/**
 * The kit gives the focus back when a layer is told to close. One that is taken out of the page while it is open is not told; its
 * opener gets the focus back here, unless something else has taken it.
 */
export function useReturnFocus(opened: boolean, wanted: boolean): void {
  useEffect(() => {
    if (!opened || !wanted) return
    const opener = document.activeElement
    return () => void setTimeout(() => {
      const free = document.activeElement === null || document.activeElement === document.body
      if (free && opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    })
  }, [opened, wanted])
}
