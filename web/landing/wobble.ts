import { prefersReducedMotion } from './reduced-motion.ts'

/** The link wobbles once before it opens. Clicks that open a new tab, and visitors who prefer reduced motion, skip it. */
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
  // Back may restore this page from the browser's cache.
  addEventListener('pageshow', () => {
    link.dataset.wobbles = ''
  })
}
