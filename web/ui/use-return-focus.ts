import { useEffect } from 'react'

/**
 * The kit gives the focus back where a layer was seen to open and is told to close. Of one that stood open from its beginning, or is
 * taken out of the page while it is open, the opener gets the focus back here, unless something else has taken it.
 */
export function useReturnFocus(opened: boolean, enabled: boolean): void {
  useEffect(() => {
    if (!opened || !enabled) return
    const opener = document.activeElement
    return () =>
      void setTimeout(() => {
        const active = document.activeElement
        // What fades is inert and keeps the focus until the browser next looks.
        const free =
          active === null || active === document.body || active.closest('[inert]') !== null
        if (free && opener instanceof HTMLElement) opener.focus({ preventScroll: true })
      })
  }, [opened, enabled])
}
