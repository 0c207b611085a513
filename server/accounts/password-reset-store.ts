import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'

/**
 * Stores a link by its token's hash, valid for `hours`, and deletes the user's used and expired
 * links.
 */
export async function insertReset(
  tx: Tx,
  userId: number,
  tokenHash: Buffer,
  hours: number,
): Promise<void> {
  await tx
    .insertInto('password_reset')
    .values({
      token_hash: tokenHash,
      user_id: userId,
      expires_at: sql<Date>`now() + ${hours} * interval '1 hour'`,
    })
    .execute()
  await sql`delete from password_reset where user_id = ${userId} and (expires_at < now() or used_at is not null)`.execute(
    tx,
  )
}

/** The user of a valid link. */
export async function findResetUserId(db: Db, tokenHash: Buffer): Promise<number | undefined> {
  const row = await db
    .selectFrom('password_reset')
    .select('user_id as userId')
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row?.userId
}

export async function invalidateResets(tx: Tx, userId: number): Promise<void> {
  await sql`update password_reset set used_at = now() where user_id = ${userId} and used_at is null`.execute(
    tx,
  )
}
