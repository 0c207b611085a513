import { useEffect } from 'react'

/**
 * Mantine returns the focus only when a dialog was seen to open and to close. This also covers a dialog that is mounted open or
 * unmounted while open. Focus that has moved elsewhere stays.
 */
export function useReturnFocus(opened: boolean, enabled: boolean): void {
  useEffect(() => {
    if (!opened || !enabled) return
    const opener = document.activeElement
    return () =>
      void setTimeout(() => {
        const active = document.activeElement
        // A fading dialog is inert and still has the focus for a moment.
        const free =
          active === null || active === document.body || active.closest('[inert]') !== null
        if (free && opener instanceof HTMLElement) opener.focus({ preventScroll: true })
      })
  }, [opened, enabled])
}
