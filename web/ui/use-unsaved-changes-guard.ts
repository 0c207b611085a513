import { useEffect, useEffectEvent } from 'react'

/**
 * While something is begun, links to another page do not lead there at once: `ask` is given the way on. A page that is closed or
 * loaded anew asks in the browser's own words.
 */
export function useUnsavedChangesGuard(begun: boolean, ask: (go: () => void) => void): void {
  const asked = useEffectEvent(ask)
  useEffect(() => {
    if (!begun) return
    let passing = false
    const follow = (event: MouseEvent) => {
      const link =
        event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
      const elsewhere =
        event.ctrlKey || event.metaKey || event.shiftKey || link?.target === '_blank'
      if (!link || elsewhere || passing) return
      event.preventDefault()
      event.stopPropagation()
      asked(() => {
        passing = true
        link.click()
      })
    }
    const close = (event: BeforeUnloadEvent) => event.preventDefault()
    document.addEventListener('click', follow, { capture: true })
    window.addEventListener('beforeunload', close)
    return () => {
      document.removeEventListener('click', follow, { capture: true })
      window.removeEventListener('beforeunload', close)
    }
  }, [begun])
}
