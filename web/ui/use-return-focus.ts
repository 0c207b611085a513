import { useEffect } from 'react'

/** What can have the focus again after a dialog: an entry of a menu is gone by then, so the menu's button. */
function openerOf(focused: Element | null): Element | null {
  const menu = focused?.closest('[role="menu"]')
  return menu ? document.getElementById(menu.id.replace(/-dropdown$/, '')) : focused
}

/** Without motion, a menu is gone before the dialog that its entry opens is there. */
let lastOpener: Element | null = null
if (typeof document !== 'undefined')
  document.addEventListener('focusin', ({ target }) => {
    lastOpener = openerOf(target instanceof Element ? target : null)
  })

/** What has the focus now, or had it last, and can have it again after a dialog. */
export function focusedOpener(): Element | null {
  const active = document.activeElement
  return active === null || active === document.body ? lastOpener : openerOf(active)
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
