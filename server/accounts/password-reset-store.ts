import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'

/**
 * Stores a link by its token's hash, valid for `hours`, and deletes the user's used and expired
 * links of more than two hours ago.
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
  await sql`delete from password_reset where user_id = ${userId} and created_at < now() - interval '2 hours'
    and (expires_at < now() or used_at is not null)`.execute(tx)
}

/**
 * How many links the user has got in the last two hours, and whether one of them can be used for at
 * least a quarter of an hour.
 */
export async function recentResets(
  tx: Tx,
  userId: number,
): Promise<{ recent: number; hasValid: boolean }> {
  const { rows } = await sql<{ recent: number; hasValid: boolean }>`
    select count(*)::int as recent,
           coalesce(bool_or(used_at is null and expires_at > now() + interval '15 minutes'), false) as "hasValid"
      from password_reset where user_id = ${userId} and created_at > now() - interval '2 hours'`.execute(
    tx,
  )
  return rows[0]!
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
