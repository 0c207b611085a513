import { prefersReducedMotion } from './reduced-motion.ts'

/**
 * Sections below the fold arrive when they are scrolled into view (specification, 2). Nothing is hidden before: the movement begins
 * as a section's upper margin enters, so print, pictures of the whole page and readers always have everything. What is in view at
 * the start stands still, and so does what one comes to from below.
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
