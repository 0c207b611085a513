import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/http/router.ts'

/** A sign-in that is alive, and whether its last use should be written down again. */
export type ActiveSession = Caller & { stale: boolean }

const SESSIONS_WITH_USERS = sql`login_session s join app_user u on u.id = s.user_id left join app_user a on a.id = s.actor_id`
const IS_ACTIVE = sql`s.expires_at > now() and s.last_seen_at > now() - interval '24 hours'
  and (u.role <> 'admin' or s.created_at > now() - interval '12 hours')
  and u.activation = 'allow' and u.deleted_at is null
  and (s.actor_id is null or u.role <> 'admin' and a.role = 'admin' and a.activation = 'allow' and a.deleted_at is null)`

/**
 * The sign-in with this sum of its token (or of its download cookie), if it is alive: not too old, not idle for too long, and its
 * user, and the administrator behind it, still allowed. Nobody acts as an administrator. All clocks are the database's.
 */
export async function findSession(
  db: Db,
  by: 'token_hash' | 'download_hash',
  hash: Buffer,
): Promise<ActiveSession | undefined> {
  const {
    rows: [row],
  } = await sql<ActiveSession>`
    select s.id as "sessionId", s.user_id as "userId", u.role, s.actor_id as "impersonatorId",
           s.last_seen_at < now() - interval '1 minute' as stale
      from ${SESSIONS_WITH_USERS}
      where ${IS_ACTIVE} and ${sql.ref(`s.${by}`)} = ${hash}`.execute(db)
  return row
}

/** Written at most once a minute for each sign-in, however many calls it makes at once. */
export async function touchSession(db: Db, id: number): Promise<void> {
  await sql`update login_session set last_seen_at = now() where id = ${id} and last_seen_at < now() - interval '1 minute'`.execute(
    db,
  )
}

/**
 * A sign-in to be written; it ends after `hours` at the latest. `actorId`: the administrator who signs in as this user, `begunIn`: in
 * which of his own sign-ins he does so.
 */
export type NewSession = {
  userId: number
  impersonatorId: number | null
  parentSessionId: number | null
  tokenHash: Buffer
  downloadHash: Buffer
  userAgent: string
  hours: number
}

/** Writes a sign-in and says when it ends. */
export async function insertSession(tx: Tx, session: NewSession): Promise<Date> {
  const { expiresAt } = await tx
    .insertInto('login_session')
    .values({
      user_id: session.userId,
      token_hash: session.tokenHash,
      download_hash: session.downloadHash,
      actor_id: session.impersonatorId,
      parent_session_id: session.parentSessionId,
      kind: session.impersonatorId === null ? 'normal' : 'impersonation',
      user_agent: session.userAgent,
      expires_at: sql<Date>`now() + ${session.hours} * interval '1 hour'`,
    })
    .returning('expires_at as expiresAt')
    .executeTakeFirstOrThrow()
  // What is over is swept by those who come.
  await sql`delete from login_session where user_id = ${session.userId}
    and (expires_at < now() or last_seen_at < now() - interval '24 hours')`.execute(tx)
  return expiresAt
}

export async function deleteSession(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('login_session').where('id', '=', id).execute()
}

/** Ends a user's sign-ins, and those that he holds as another user; all but `kept` when it is given. Returns their ids. */
export async function deleteSessionsOf(
  tx: Tx,
  userId: number,
  kept: number | null = null,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    delete from login_session where (user_id = ${userId} or actor_id = ${userId}) and id is distinct from ${kept}::bigint
    returning id`.execute(tx)
  return rows.map(row => row.id)
}

/** Ends the sign-ins as somebody else that were begun in this one. Returns their ids. */
export async function deleteChildSessions(tx: Tx, begunIn: number): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`delete from login_session where parent_session_id = ${begunIn} returning id`.execute(tx)
  return rows.map(row => row.id)
}

/** Ends one sign-in of a user. Returns whether there was one. */
export async function deleteSessionOf(tx: Tx, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('login_session')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** A sign-in as its user may see it. */
export type SessionRow = {
  id: number
  userAgent: string
  createdAt: Date
  lastSeenAt: Date
  impersonatorId: number | null
}

/** The sign-ins of a user that are alive, used last first. */
export async function selectSessions(db: Db, userId: number): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select s.id, coalesce(s.user_agent, '') as "userAgent", s.created_at as "createdAt", s.last_seen_at as "lastSeenAt",
           s.actor_id as "impersonatorId"
      from ${SESSIONS_WITH_USERS}
      where ${IS_ACTIVE} and s.user_id = ${userId}
      order by s.last_seen_at desc, s.id desc`.execute(db)
  return rows
}

/** Ends the sign-ins that a user holds as somebody else, and those that others hold as him. Returns their ids. */
export async function deleteImpersonations(tx: Tx, userId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    delete from login_session where actor_id = ${userId} or (user_id = ${userId} and actor_id is not null) returning id`.execute(
    tx,
  )
  return rows.map(row => row.id)
}

/** Tells every process; call it after the commit, never inside a transaction. */
export async function notify(db: Db, channel: string, payload: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(db)
}
