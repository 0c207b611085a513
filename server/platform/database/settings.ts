import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '#server/platform/context.ts'
import type { Db, Tx } from './database.ts'

/**
 * A random name of this installation. It tells installations on one host apart where a port cannot,
 * as for cookies.
 */
export const getInstanceName = (ctx: Context): Promise<string> =>
  getRandomSetting(ctx, 'instance', 6)

/** Hex; created once and stored under this key. */
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

export async function findSetting(db: Db, key: string): Promise<string | undefined> {
  return (
    await db.selectFrom('app_setting').select('value').where('key', '=', key).executeTakeFirst()
  )?.value
}

export async function putSetting(tx: Tx, key: string, value: string): Promise<void> {
  await tx
    .insertInto('app_setting')
    .values({ key, value })
    .onConflict(at => at.column('key').doUpdateSet({ value }))
    .execute()
}

/** Returns the value before; null without one. */
export async function replaceSetting(tx: Tx, key: string, value: string): Promise<string | null> {
  const before = await tx
    .selectFrom('app_setting')
    .select('value')
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirst()
  await putSetting(tx, key, value)
  return before?.value ?? null
}
