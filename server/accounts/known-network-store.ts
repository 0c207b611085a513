import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'

const DAYS = 90
const MAX_NETWORKS = 5

/** Whether the user has signed in from this network in the last 90 days. */
export async function isKnownNetwork(
  db: Db,
  userId: number,
  networkHash: Buffer,
): Promise<boolean> {
  const row = await db
    .selectFrom('known_network')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('network_hash', '=', networkHash)
    .where('last_used_at', '>', sql<Date>`now() - ${DAYS} * interval '1 day'`)
    .executeTakeFirst()
  return row !== undefined
}

/** Keeps the five networks that were used last. */
export async function insertKnownNetwork(
  tx: Tx,
  userId: number,
  networkHash: Buffer,
): Promise<void> {
  await sql`insert into known_network (user_id, network_hash) values (${userId}, ${networkHash})
    on conflict (user_id, network_hash) do update set last_used_at = now()`.execute(tx)
  await sql`delete from known_network where user_id = ${userId} and network_hash not in (
    select network_hash from known_network where user_id = ${userId} and last_used_at > now() - ${DAYS} * interval '1 day'
      order by last_used_at desc limit ${MAX_NETWORKS})`.execute(tx)
}

/** When the password changes: a sign-in with the old one no longer counts for anything. */
export async function deleteKnownNetworks(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('known_network').where('user_id', '=', userId).execute()
}
