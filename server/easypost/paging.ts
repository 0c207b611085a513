import type { ListQuery } from '#contract/easypost-bodies.ts'
import type { PageRequest } from './pages-store.ts'

const DEFAULT_SIZE = 20

/** `idOf`: of the row that an id names; null for one that the user does not have. */
export async function pageRequest(
  query: ListQuery,
  idOf: (id: string) => Promise<number | null>,
): Promise<PageRequest> {
  const moment = (text: string | undefined): Date | null =>
    text === undefined ? null : new Date(text)
  // An unknown id has nothing before and nothing after it.
  const rowOf = async (id: string | undefined, none: number): Promise<number | null> =>
    id === undefined || id === '' ? null : ((await idOf(id)) ?? none)
  return {
    size: Number(query.page_size ?? DEFAULT_SIZE),
    before: await rowOf(query.before_id, 0),
    after: await rowOf(query.after_id, Number.MAX_SAFE_INTEGER),
    from: moment(query.start_datetime),
    to: moment(query.end_datetime),
  }
}
