import { useEffect } from 'react'
import type { RefObject } from 'react'

/** What can have the focus again after a dialog: an entry of a menu is gone by then, so the menu's button. */
function openerOf(focused: Element | null): Element | null {
  const menu = focused?.closest('[role="menu"]')
  return menu ? document.getElementById(menu.id.replace(/-dropdown$/, '')) : focused
}

/** The boxes around an element that can have the focus when it is gone, the nearest first. */
function boxesAround(element: Element | null): Element[] {
  const box = element?.parentElement?.closest('[tabindex="-1"]:not(main)')
  return box ? [box, ...boxesAround(box)] : []
}

/** Without motion, a menu is gone before the dialog that its entry opens is there. */
let lastOpener: Element | null = null
/** While it was in the page. */
let lastBoxes: Element[] = []
if (typeof document !== 'undefined')
  document.addEventListener('focusin', ({ target }) => {
    lastOpener = openerOf(target instanceof Element ? target : null)
    lastBoxes = boxesAround(lastOpener)
  })

/** What has the focus now, or had it last, and can have it again after a dialog. */
function focusedOpener(): Element | null {
  const active = document.activeElement
  return active === null || active === document.body ? lastOpener : openerOf(active)
}

/** The page title, where it got the focus because nothing better was there. */
let lastResort: Element | null = null

/** Whether nothing has the focus, or only the title as the last resort. A fading dialog is inert and still has it for a moment. */
export function isFocusLost(): boolean {
  const active = document.activeElement
  if (active === null || active === document.body || active === lastResort) return true
  return active.closest('[inert]') !== null
}

function focusIfLost(places: readonly (Element | null)[]): void {
  const place = places.find(one => one?.isConnected)
  if (isFocusLost() && place instanceof HTMLElement) place.focus({ preventScroll: true })
}

function focusTitleIfLost(): void {
  if (!isFocusLost()) return
  lastResort = document.querySelector('h1')
  focusIfLost([lastResort])
}

/**
 * `box`, which has tabIndex -1, gets the focus when what had it inside is gone: the button of a row that was deleted, a filter that was
 * cleared.
 */
export function useKeptFocus(box: RefObject<HTMLElement | null>): void {
  // After each rendering: only a rendering removes something.
  useEffect(() => {
    if (!box.current || !lastBoxes.includes(box.current)) return
    if (lastOpener?.isConnected || !isFocusLost()) return
    // After those who give the focus to something better, such as the first field of a row.
    requestAnimationFrame(() => focusIfLost([box.current]))
  })
}

/**
 * Mantine returns the focus only when a dialog was seen to open and to close. This also covers a dialog that is mounted open or
 * unmounted while open. An opener that is gone leaves the focus to the box around it, such as the list, or to the page title. Focus
 * that has moved elsewhere stays.
 */
export function useReturnFocus(opened: boolean, enabled: boolean): void {
  useEffect(() => {
    if (!opened || !enabled) return
    const opener = focusedOpener()
    const boxes = boxesAround(opener)
    return () =>
      void setTimeout(() => {
        focusIfLost([opener, ...boxes])
        // After pages that give the focus to something better, such as the file input of a table that was reset.
        requestAnimationFrame(() => setTimeout(focusTitleIfLost))
      })
  }, [opened, enabled])
}
