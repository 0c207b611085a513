/** Pages of a list, pure. Pages count from 1. */

/** Beside the current page stand `SIBLINGS` pages; the first and last are always there (specification, 9: 2*1+5). */
const SIBLINGS = 1
const MOST_WITHOUT_GAPS = 2 * SIBLINGS + 5

export type PageMark = number | 'gap-before' | 'gap-after'

export const pagesOf = (rows: number, size: number): number => Math.max(1, Math.ceil(rows / size))

/** A page that exists: a remembered page may be past the end after rows went away. */
export const clampPage = (page: number, pages: number): number => Math.min(Math.max(1, Math.trunc(page) || 1), pages)

/** What the pagination shows: all pages up to seven, beyond that always seven marks with gaps. */
export function pageMarks(pages: number, current: number): PageMark[] {
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
  if (pages <= MOST_WITHOUT_GAPS) return range(1, pages)
  const edge = 2 * SIBLINGS + 3
  if (current <= edge - SIBLINGS) return [...range(1, edge), 'gap-after', pages]
  if (current > pages - edge + SIBLINGS) return [1, 'gap-before', ...range(pages - edge + 1, pages)]
  return [1, 'gap-before', ...range(current - SIBLINGS, current + SIBLINGS), 'gap-after', pages]
}
