/**
 * Tables whose ids follow the clock: a period of time is a range of ids, found without an index on
 * the time.
 */
import { sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * The id and the time of a row are set at different moments of its transaction: less than this lies
 * between them.
 */
const CLOCK_SLACK_MS = 5 * 60_000

/** All rows of a period have ids from `low` (inclusive) to `high` (exclusive). Null: no bound. */
export type IdRange = { low: number | null; high: number | null }

/** A table with an ascending `id` and the column that holds each row's time. */
export type TimeOrderedTable = { table: string; timeColumn: string }

/**
 * The range is some minutes wider than the period: filter by time as well where the bounds must be
 * exact.
 */
export const idRangeForPeriod = async (
  db: Db,
  table: TimeOrderedTable,
  from: Date | null,
  to: Date | null,
): Promise<IdRange> => ({
  low: from && (await firstIdSince(db, table, new Date(from.getTime() - CLOCK_SLACK_MS))),
  high: to && (await firstIdSince(db, table, new Date(to.getTime() + CLOCK_SLACK_MS))),
})

/**
 * Binary search for the first id at or after `moment`; the next unused id when all rows are
 * earlier.
 */
async function firstIdSince(
  db: Db,
  { table, timeColumn }: TimeOrderedTable,
  moment: Date,
): Promise<number> {
  const [rows, at] = [sql.table(table), sql.ref(timeColumn)]
  const {
    rows: [found],
  } = await sql<{ id: number }>`
    with recursive halving (low, high) as (
      select coalesce(min(id), 1), coalesce(max(id), 0) + 1 from ${rows}
      union all
      select case when there.earlier then half.id + 1 else low end, case when there.earlier then high else half.id end
        from halving
        cross join lateral (select low + (high - low) / 2 as id) half
        cross join lateral (
          select (select ${at} from ${rows} where id >= half.id order by id limit 1) < ${moment} as earlier) there
        where low < high)
    select low as id from halving where low = high`.execute(db)
  return found!.id
}
