/** Pages of a list, pure. Pages count from 1. Which numbers are shown: `pages` of the contract's format. */

export const pagesOf = (rows: number, size: number): number => Math.max(1, Math.ceil(rows / size))

/** A page that exists: a remembered page may be past the end after rows went away. */
export const clampPage = (page: number, pages: number): number => Math.min(Math.max(1, Math.trunc(page) || 1), pages)
