import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'

/** Writes a link down by the sum of its token; it can be used for `hours`. What nobody can use any more is swept on the way. */
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

/** Whose link this is, while it can be used. */
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

/** Makes all links of a user useless. */
export async function invalidateResets(tx: Tx, userId: number): Promise<void> {
  await sql`update password_reset set used_at = now() where user_id = ${userId} and used_at is null`.execute(
    tx,
  )
}
