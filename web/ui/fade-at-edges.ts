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
  const observeAll = () => {
    sizes.observe(box)
    for (const child of box.children) sizes.observe(child)
  }
  // What is added later may be cut, too.
  const added = new MutationObserver(observeAll)
  added.observe(box, { childList: true })
  observeAll()
  box.addEventListener('scroll', draw, { passive: true })
  draw()
  return () => {
    sizes.disconnect()
    added.disconnect()
    box.removeEventListener('scroll', draw)
    delete box.dataset.fade
  }
}

/** Room for the faded edge. */
const FADE_PX = 32

/** `fadeAtEdges` for a row of links, whose current one (`aria-current`) is scrolled into the row. */
export function keepCurrentInRow(row: HTMLElement | null): (() => void) | undefined {
  if (!row) return undefined
  const show = () => {
    const link = row.querySelector('[aria-current]')?.getBoundingClientRect()
    if (!link) return
    const { left, right } = row.getBoundingClientRect()
    const before = left + FADE_PX - link.left
    const behind = link.right - (right - FADE_PX)
    if (before > 0) row.scrollLeft -= before
    else if (behind > 0) row.scrollLeft += behind
  }
  const changes = new MutationObserver(show)
  changes.observe(row, { childList: true, subtree: true, attributeFilter: ['aria-current'] })
  const sizes = new ResizeObserver(show)
  sizes.observe(row)
  const stopFading = fadeAtEdges(row)
  return () => {
    changes.disconnect()
    sizes.disconnect()
    stopFading?.()
  }
}
