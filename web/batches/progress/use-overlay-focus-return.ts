import { useEffect } from 'react'
import { useProgress } from './progress-store.ts'

/**
 * Closing gives the focus back to where it was when the order came on the screen, however often it was made small and large
 * meanwhile; when that is gone, to the page.
 */
export function useOverlayFocusReturn(): void {
  useEffect(() => {
    let opener: Element | null = null
    return useProgress.subscribe((after, before) => {
      if (after.isVisible === before.isVisible) return
      if (after.isVisible) opener = document.activeElement
      // The dialog is still there now, and would hold the focus.
      else setTimeout(() => restoreFocus(opener))
    })
  }, [])
}

function restoreFocus(opener: Element | null): void {
  const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body
  const target = isThere ? opener : document.getElementById('content')
  target?.focus({ preventScroll: true })
}
