import { prefersReducedMotion } from './reduced-motion.ts'

/**
 * Animates sections that come into view from below while scrolling down. Nothing is hidden before,
 * so print, screenshots and screen readers get everything. Sections in view at the start do not
 * move.
 */
export function revealOnScroll(sections: NodeListOf<HTMLElement>): void {
  if (prefersReducedMotion()) return
  const waiting = new WeakSet<Element>()
  const watcher = new IntersectionObserver(entries => {
    for (const { target, isIntersecting, rootBounds, boundingClientRect } of entries) {
      if (!isIntersecting) {
        if (boundingClientRect.top > 0) waiting.add(target)
        else waiting.delete(target)
        continue
      }
      const fromBelow =
        waiting.has(target) && boundingClientRect.top > (rootBounds?.height ?? innerHeight) / 2
      if (fromBelow) (target as HTMLElement).dataset.arrives = 'now'
      watcher.unobserve(target)
    }
  })
  for (const section of sections) watcher.observe(section)
}
