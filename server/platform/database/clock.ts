import { sql } from 'kysely'
import type { Db } from './database.ts'

/** The database's clock: in a transaction the moment of its beginning. */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db)
  return rows[0]!.now
}
