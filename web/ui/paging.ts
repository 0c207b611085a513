/** Pages of a list, pure. Pages count from 1. */

export const pageCountFor = (rows: number, size: number): number =>
  Math.max(1, Math.ceil(rows / size))

/** Caps a page number typed into the address bar. */
const MAX_PAGES = 1_000_000

/** The number of pages. While `total` (rows) is unknown, the requested page counts as the last. */
export const pageCountOrRequested = (
  total: number | undefined,
  size: number,
  wanted: number,
): number => (total === undefined ? clampPage(wanted, MAX_PAGES) : pageCountFor(total, size))

/** A page from the URL may be past the end after rows were deleted. */
export const clampPage = (page: number, pages: number): number =>
  Math.min(Math.max(1, Math.trunc(page) || 1), pages)

/** Marks page numbers that are left out. */
export const PAGE_GAP = 'gap'

/**
 * The page numbers to show: first, last, and the current one with a neighbor on each side. From eight pages on some are left
 * out; never more than seven entries, so that the row of buttons does not jump.
 */
export function pageNumbersFor(current: number, total: number): (number | typeof PAGE_GAP)[] {
  const run = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)
  if (total <= 7) return run(1, total)
  if (current <= 4) return [...run(1, 5), PAGE_GAP, total]
  if (current >= total - 3) return [1, PAGE_GAP, ...run(total - 4, total)]
  return [1, PAGE_GAP, ...run(current - 1, current + 1), PAGE_GAP, total]
}
