import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { ListRange } from '#server/platform/http/list-range.ts'

/** A page of ids, newest first, and the number of all. */
export async function selectBatchIds(
  db: Db,
  userId: number,
  offset: number,
  limit: number,
): Promise<{ ids: number[]; total: number }> {
  const found = db.selectFrom('batch').where('user_id', '=', userId).where('status', 'is not', null)
  const [rows, counted] = await Promise.all([
    found.select('id').orderBy('id', 'desc').offset(offset).limit(limit).execute(),
    found.select(eb => eb.fn.countAll<number>().as('n')).executeTakeFirstOrThrow(),
  ])
  return { ids: rows.map(({ id }) => id), total: counted.n }
}

/** Ids below `after`, newest first, and the number of all. */
export async function selectBatchIdsAfter(
  db: Db,
  userId: number,
  { after, offset, limit }: ListRange,
): Promise<{ ids: number[]; total: number }> {
  const { rows } = await sql<{ id: number }>`
    select id from batch
      where user_id = ${userId} and status is not null and (${after}::bigint is null or id < ${after}::bigint)
      order by id desc offset ${offset} limit ${limit}`.execute(db)
  const { total } = await selectBatchIds(db, userId, 0, 1)
  return { ids: rows.map(({ id }) => id), total }
}
