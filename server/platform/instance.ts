import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { House } from './house.ts'

/**
 * The name of this copy of the house: random, made once, kept in its database. It tells copies on one host apart where a port
 * cannot, as with cookies.
 */
export async function instanceName(house: House): Promise<string> {
  const { db } = house.database
  const fresh = randomBytes(6).toString('hex')
  await sql`insert into house_setting (key, value) values ('instance', ${fresh}) on conflict do nothing`.execute(db)
  const { value } = await db.selectFrom('house_setting').select('value').where('key', '=', 'instance').executeTakeFirstOrThrow()
  return value
}
