/** Tables whose numbers follow the clock: a stretch of time is a stretch of numbers, found without an index of times. */
import { sql } from 'kysely'
import type { Db } from './database.ts'

/** Each with the column of its times. */
const TIME_COLUMNS = { audit_entry: 'at', shipment_order: 'created_at' } as const
export type TimeOrderedTable = keyof typeof TIME_COLUMNS

/** A row is numbered when it is written and dated when its change began, or the other way about: less than this lies between them. */
const CLOCK_SLACK_MS = 5 * 60_000

/** Numbers between which all rows of a stretch of time lie: `low` inside, `high` outside. Null: no end. */
export type IdRange = { low: number | null; high: number | null }

/** The numbers of a stretch of time. Some minutes wider than it: whoever needs it exact looks at the times of these rows as well. */
export const idRangeFor = async (
  db: Db,
  table: TimeOrderedTable,
  from: Date | null,
  to: Date | null,
): Promise<IdRange> => ({
  low: from && (await firstIdSince(db, table, new Date(from.getTime() - CLOCK_SLACK_MS))),
  high: to && (await firstIdSince(db, table, new Date(to.getTime() + CLOCK_SLACK_MS))),
})

/** The first number of a row not older than a moment, found by halving; the next to be given when all are older. */
async function firstIdSince(db: Db, table: TimeOrderedTable, moment: Date): Promise<number> {
  const [rows, at] = [sql.table(table), sql.ref(TIME_COLUMNS[table])]
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
