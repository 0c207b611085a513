/** Pages of lists, newest first. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { idRangeForPeriod } from '#server/platform/database/id-range.ts'

/** `before` and `after`: ids of rows, exclusive. `from` inclusive, `to` exclusive, by creation. */
export type PageRequest = {
  size: number
  before: number | null
  after: number | null
  from: Date | null
  to: Date | null
}

export type IdPage = { ids: number[]; hasMore: boolean }

const isBoughtShipment = sql`t.order_id is not null and exists (
  select 1 from shipment_order o where o.id = t.order_id and o.tracking_number is not null)`
const isBoughtLabel = sql`t.tracking_number is not null`

export const selectBoughtShipmentPage = (
  db: Db,
  userId: number,
  page: PageRequest,
): Promise<IdPage> => selectIdPage(db, 'api_shipment', userId, page, isBoughtShipment)

/** Ids of orders. */
export const selectBoughtLabelPage = (db: Db, userId: number, page: PageRequest): Promise<IdPage> =>
  selectIdPage(db, 'shipment_order', userId, page, isBoughtLabel)

type ListedTable =
  | 'api_address'
  | 'api_shipment'
  | 'api_batch'
  | 'api_refund'
  | 'scan_form'
  | 'shipment_order'

/**
 * Ids of a user's rows. `condition` on the table, as `t`, leaves rows out. After an id the oldest of
 * the newer rows are the page.
 */
export async function selectIdPage(
  db: Db,
  table: ListedTable,
  userId: number,
  { size, before, after, from, to }: PageRequest,
  condition: RawBuilder<unknown> = sql`true`,
): Promise<IdPage> {
  const { low, high } = await idRangeForPeriod(db, { table, timeColumn: 'created_at' }, from, to)
  const isAscending = after !== null && before === null
  const { rows } = await sql<{ id: number }>`
    select t.id from ${sql.table(table)} t
      where t.user_id = ${userId} and ${condition}
        and t.id < coalesce(${before}::bigint, 9223372036854775807) and t.id > coalesce(${after}::bigint, 0)
        and t.id >= coalesce(${low}::bigint, 0) and t.id < coalesce(${high}::bigint, 9223372036854775807)
        and t.created_at >= coalesce(${from}::timestamptz, '-infinity') and t.created_at < coalesce(${to}::timestamptz, 'infinity')
      order by t.id ${isAscending ? sql`asc` : sql`desc`} limit ${size + 1}`.execute(db)
  const ids = rows.slice(0, size).map(({ id }) => id)
  return { ids: isAscending ? ids.toReversed() : ids, hasMore: rows.length > size }
}

/** Null for a key that the user does not have. */
export async function selectIdOfKey(
  db: Db,
  table: Exclude<ListedTable, 'shipment_order'>,
  userId: number,
  key: string,
): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)} where key = ${key}::uuid and user_id = ${userId}`.execute(db)
  return rows[0]?.id ?? null
}
