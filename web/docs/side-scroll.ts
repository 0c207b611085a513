import { fadeAtEdges } from '#web/ui/fade-at-edges.ts'

/** Code whose lines are cut can be scrolled by keyboard, and its edges fade; other code is no stop for the keyboard. */
export function setUpSideScroll(boxes: Iterable<HTMLElement>): void {
  const sizes = new ResizeObserver(entries => {
    for (const box of new Set(entries.map(({ target }) => target.closest('pre')!)))
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0
      else box.removeAttribute('tabindex')
  })
  // Hundreds of boxes: each is watched when it comes near.
  const near = new IntersectionObserver(
    entries => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue
        near.unobserve(target)
        fadeAtEdges(target as HTMLElement)
      }
    },
    { rootMargin: '50%' },
  )
  for (const box of boxes) {
    near.observe(box)
    sizes.observe(box)
    // Grows when the font has loaded.
    if (box.firstElementChild) sizes.observe(box.firstElementChild)
  }
}
