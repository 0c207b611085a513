/** Pages of a list, pure. Pages count from 1. Which numbers are shown: `pages` of the contract's format. */

export const pageCountFor = (rows: number, size: number): number =>
  Math.max(1, Math.ceil(rows / size))

/** Nobody pages further; a server need not be asked for what an address bar claims. */
const MAX_PAGES = 1_000_000

/** How many pages there may be, as long as the number of rows (`total`) is not known: the wanted page is asked for. */
export const pageCountOrRequested = (
  total: number | undefined,
  size: number,
  wanted: number,
): number => (total === undefined ? clampPage(wanted, MAX_PAGES) : pageCountFor(total, size))

/** A page that exists: a remembered page may be past the end after rows went away. */
export const clampPage = (page: number, pages: number): number =>
  Math.min(Math.max(1, Math.trunc(page) || 1), pages)
