import { useEffect } from 'react'

/**
 * What has the focus now, and can have it again after a dialog: an entry of a menu is gone by then,
 * so the menu's button.
 */
export function focusedOpener(): Element | null {
  const active = document.activeElement
  const menu = active?.closest('[role="menu"]')
  return menu ? document.getElementById(menu.id.replace(/-dropdown$/, '')) : active
}

/** Whether nothing has the focus. A fading dialog is inert and still has it for a moment. */
export function isFocusLost(): boolean {
  const active = document.activeElement
  return active === null || active === document.body || active.closest('[inert]') !== null
}

/**
 * Mantine returns the focus only when a dialog was seen to open and to close. This also covers a dialog that is mounted open or
 * unmounted while open. Focus that has moved elsewhere stays.
 */
export function useReturnFocus(opened: boolean, enabled: boolean): void {
  useEffect(() => {
    if (!opened || !enabled) return
    const opener = focusedOpener()
    return () =>
      void setTimeout(() => {
        if (isFocusLost() && opener instanceof HTMLElement) opener.focus({ preventScroll: true })
      })
  }, [opened, enabled])
}
