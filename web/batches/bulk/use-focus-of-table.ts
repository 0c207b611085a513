import { useEffect, useEffectEvent, useRef } from 'react'
import type { RefObject } from 'react'
import { isFocusLost } from '#web/ui/use-return-focus.ts'

type LastFocus = { element: EventTarget | null; hadRows: boolean }

/**
 * Many controls of the page are taken away by what they do: a remedy, 'Show all rows', the file input
 * of the empty page. Their focus goes to the table (`focusTable`), or, where a table has come or gone,
 * to the first of what is new: `data-first-focus`.
 */
export function useFocusOfTable(
  page: RefObject<HTMLElement | null>,
  hasRows: boolean,
  focusTable: () => void,
): void {
  const last = useRef<LastFocus | null>(null)
  const remember = useEffectEvent((event: FocusEvent) => {
    last.current = { element: event.target, hadRows: hasRows }
  })
  const giveFocus = useEffectEvent((was: LastFocus) => {
    const first = page.current?.querySelector<HTMLElement>('[data-first-focus]')
    if (was.hadRows !== hasRows && first) first.focus({ preventScroll: true })
    else focusTable()
    // While a large file is read there is no table yet: the focus is given when its rows are there.
    if (!hasRows && isFocusLost()) last.current = was
  })
  useEffect(() => {
    const box = page.current
    if (!box) return
    const onFocus = (event: FocusEvent) => remember(event)
    box.addEventListener('focusin', onFocus)
    const observer = new MutationObserver(() => {
      const was = last.current
      if (!was || !(was.element instanceof Node) || was.element.isConnected) return
      if (!isFocusLost()) return
      last.current = null
      // After a dialog has tried to give the focus back.
      setTimeout(() => isFocusLost() && giveFocus(was))
    })
    // Dialogs are outside of the page.
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      box.removeEventListener('focusin', onFocus)
      observer.disconnect()
    }
  }, [page])
}
