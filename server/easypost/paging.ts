import type { ListQuery } from '#contract/easypost-bodies.ts'
import type { Db } from '#server/platform/database/database.ts'
import { parseId } from './ids.ts'
import { selectIdOfKey } from './pages-store.ts'
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

const TABLES = {
  adr: 'api_address',
  shp: 'api_shipment',
  batch: 'api_batch',
  rfnd: 'api_refund',
  sf: 'scan_form',
} as const

/** Of a list whose ids have this prefix. */
export const pageRequestOf = (
  prefix: keyof typeof TABLES,
  db: Db,
  userId: number,
  query: ListQuery,
): Promise<PageRequest> =>
  pageRequest(query, async id => {
    const key = parseId(prefix, id)
    return key === null ? null : selectIdOfKey(db, TABLES[prefix], userId, key)
  })
