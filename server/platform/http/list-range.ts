import { AFTER_LIMIT_MAX } from '#contract/endpoint.ts'
import { Refusal } from './refusal.ts'
import type { Caller } from './router.ts'

/** `after`: the id before the page; null for the first one. `offset`: of a page by its number. */
export type ListRange = { after: number | null; offset: number; limit: number }

/**
 * The page of a list that answers `next`: one after an id, and each for a key. Null: the whole list,
 * or a page by its number, as the screen reads it.
 */
export function rangeAfter(
  caller: Pick<Caller, 'key'>,
  query: { after?: string | undefined; page?: number; limit?: number | undefined },
): ListRange | null {
  const { after, page = 1, limit = AFTER_LIMIT_MAX } = query
  if (after === undefined && !caller.key) return null
  const size = Math.min(limit, AFTER_LIMIT_MAX)
  return after === undefined
    ? { after: null, offset: (page - 1) * size, limit: size }
    : { after: Number(after), offset: 0, limit: size }
}

/** As `rangeAfter`, of a list without pages by number. */
export const idRange = (
  caller: Pick<Caller, 'key'>,
  { after, limit }: { after?: string | undefined; limit?: number | undefined },
): ListRange | null =>
  after === undefined && limit !== undefined && !caller.key
    ? { after: null, offset: 0, limit: Math.min(limit, AFTER_LIMIT_MAX) }
    : rangeAfter(caller, { after, limit })

/** The page of a list whose ids are all known. Throws Refusal when `after` is none of them. */
export function cutAfter(
  ids: number[],
  { after, limit }: ListRange,
): { page: number[]; next: number | null } {
  const at = after === null ? 0 : ids.indexOf(after) + 1
  if (after !== null && at === 0)
    throw new Refusal(
      'changed_meanwhile',
      `after: ${after} is not in this list any more. Begin again without it.`,
    )
  return cutPage(ids.slice(at, at + limit + 1), limit, id => id)
}

/** Cuts one entry too many off; it tells that there is a next page. */
export function cutPage<Entry>(
  entries: Entry[],
  limit: number,
  idOf: (entry: Entry) => number,
): { page: Entry[]; next: number | null } {
  const page = entries.slice(0, limit)
  return { page, next: entries.length > limit ? idOf(page.at(-1)!) : null }
}

export const nextWire = (next: number | null): string | null =>
  next === null ? null : String(next)
