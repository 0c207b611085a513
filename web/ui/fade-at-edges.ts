/** Below this many px, the rest of a scrolled box is a rounding error. */
const LEAST_REST = 1

/**
 * A ref for a box that scrolls sideways: the edge behind which more is hidden fades (base.css draws `data-fade`), so that a cut
 * column does not look like the last one. `<div ref={fadeAtEdges}>`.
 */
export function fadeAtEdges(box: HTMLElement | null): (() => void) | undefined {
  if (!box) return undefined
  const draw = () => {
    const before = Math.abs(box.scrollLeft)
    const behind = box.scrollWidth - box.clientWidth - before
    const edges = [
      ...(before > LEAST_REST ? ['start'] : []),
      ...(behind > LEAST_REST ? ['end'] : []),
    ]
    if (edges.length > 0) box.dataset.fade = edges.join(' ')
    else delete box.dataset.fade
  }
  const sizes = new ResizeObserver(draw)
  sizes.observe(box)
  for (const child of box.children) sizes.observe(child)
  box.addEventListener('scroll', draw, { passive: true })
  draw()
  return () => {
    sizes.disconnect()
    box.removeEventListener('scroll', draw)
    delete box.dataset.fade
  }
}
