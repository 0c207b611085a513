import { prefersReducedMotion } from './reduced-motion.ts'

/**
 * The link wobbles once before it goes where it leads (specification, 2). A click that opens another tab is left alone, and so is
 * everything when nothing should move.
 */
export function wobbleBeforeLeaving(link: HTMLAnchorElement | null): void {
  if (!link) return
  link.addEventListener('click', event => {
    const elsewhere =
      event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (elsewhere || prefersReducedMotion()) return
    event.preventDefault()
    link.dataset.wobbles = 'now'
  })
  link.addEventListener('animationend', () => location.assign(link.href))
  // Coming back by the browser's button, the page may be the same one.
  addEventListener('pageshow', () => {
    link.dataset.wobbles = ''
  })
}
