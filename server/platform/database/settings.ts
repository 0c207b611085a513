import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '#server/platform/context.ts'
import type { Tx } from './database.ts'

/**
 * The name of this copy of the house: random, made once, kept in its database. It tells copies on one host apart where a port
 * cannot, as with cookies.
 */
export const getInstanceName = (ctx: Context): Promise<string> =>
  getRandomSetting(ctx, 'instance', 6)

/** So many random bytes as hex text, made once under this key and kept in the house's database. */
export async function getRandomSetting(ctx: Context, key: string, bytes: number): Promise<string> {
  const { db } = ctx.database
  const fresh = randomBytes(bytes).toString('hex')
  await sql`insert into app_setting (key, value) values (${key}, ${fresh}) on conflict do nothing`.execute(
    db,
  )
  const { value } = await db
    .selectFrom('app_setting')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  return value
}

/** A word that the house has kept under a key, and what it keeps instead from now on. */
export async function replaceSetting(tx: Tx, key: string, word: string): Promise<string | null> {
  const before = await tx
    .selectFrom('app_setting')
    .select('value')
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirst()
  await tx
    .insertInto('app_setting')
    .values({ key, value: word })
    .onConflict(at => at.column('key').doUpdateSet({ value: word }))
    .execute()
  return before?.value ?? null
}
