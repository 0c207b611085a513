import { sql } from 'kysely'
import { PROOF_MINUTES } from '#contract/second-factor.ts'
import type { FactorKind } from '#contract/second-factor.ts'
import { arrayOf } from '#server/platform/database/array-of.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/http/router.ts'

/**
 * `stale`: `last_seen_at` is due for an update. `proven`: a proof was given in the last minutes.
 * `factors`: kinds of the user's second factors, null without any.
 */
export type ActiveSession = Omit<Caller, 'assurance' | 'key'> & {
  stale: boolean
  proven: boolean
  factors: FactorKind[] | null
}

const SESSIONS_WITH_USERS = sql`login_session s join app_user u on u.id = s.user_id left join app_user a on a.id = s.impersonator_id`
const IS_ACTIVE = sql`s.expires_at > now() and s.last_seen_at > now() - interval '24 hours'
  and (u.role <> 'admin' or s.created_at > now() - interval '12 hours')
  and u.activation = 'allow' and u.deleted_at is null
  and (s.impersonator_id is null or u.role <> 'admin' and a.role = 'admin' and a.activation = 'allow' and a.deleted_at is null
    and exists (select from login_session p where p.id = s.parent_session_id))`

/**
 * The active sessions with these hashes of their tokens or download cookies, by hash in base64: not expired, not idle, their
 * users and impersonators not blocked, no administrator impersonated, and impersonators signed in. All times are the database's.
 */
export async function findSessions(
  db: Db,
  by: 'token_hash' | 'download_hash',
  hashes: Buffer[],
): Promise<Map<string, ActiveSession>> {
  const { rows } = await sql<ActiveSession & { hash: Buffer }>`
    select ${sql.ref(`s.${by}`)} as hash,
           s.id as "sessionId", s.user_id as "userId", u.role, s.impersonator_id as "impersonatorId",
           s.last_seen_at < now() - interval '1 minute' as stale,
           s.proven_at > now() - ${PROOF_MINUTES} * interval '1 minute' as proven,
           (select array_agg(distinct f.kind) from second_factor f where f.user_id = s.user_id) as factors
      from ${SESSIONS_WITH_USERS}
      where ${IS_ACTIVE} and ${sql.ref(`s.${by}`)} = any(${arrayOf('bytea', hashes)})`.execute(db)
  return new Map(rows.map(({ hash, ...session }) => [hash.toString('base64'), session]))
}

/** Those of these sessions that are active. */
export async function selectActiveSessions(db: Db, ids: number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select s.id from ${SESSIONS_WITH_USERS} where ${IS_ACTIVE} and s.id = any(${arrayOf('bigint', ids)})`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Writes at most once a minute per session. */
export async function touchSession(db: Db, id: number): Promise<void> {
  await sql`update login_session set last_seen_at = now() where id = ${id} and last_seen_at < now() - interval '1 minute'`.execute(
    db,
  )
}

export async function recordProof(tx: Tx, sessionId: number): Promise<void> {
  await sql`update login_session set proven_at = now() where id = ${sessionId}`.execute(tx)
}

/**
 * `hours`: longest lifetime. `impersonatorId`: the administrator who signs in as this user;
 * `parentSessionId`: the administrator's own session.
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

/** Returns the expiry. */
export async function insertSession(tx: Tx, session: NewSession): Promise<Date> {
  const { expiresAt } = await tx
    .insertInto('login_session')
    .values({
      user_id: session.userId,
      token_hash: session.tokenHash,
      download_hash: session.downloadHash,
      impersonator_id: session.impersonatorId,
      parent_session_id: session.parentSessionId,
      kind: session.impersonatorId === null ? 'normal' : 'impersonation',
      user_agent: session.userAgent,
      expires_at: sql<Date>`now() + ${session.hours} * interval '1 hour'`,
    })
    .returning('expires_at as expiresAt')
    .executeTakeFirstOrThrow()
  // Each sign-in also deletes the user's expired sessions.
  await sql`delete from login_session where user_id = ${session.userId}
    and (expires_at < now() or last_seen_at < now() - interval '24 hours')`.execute(tx)
  return expiresAt
}

export async function deleteSession(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('login_session').where('id', '=', id).execute()
}

/**
 * Deletes a user's sessions and their impersonations of others, except `kept`. Returns their ids.
 */
export async function deleteSessionsOf(
  tx: Tx,
  userId: number,
  kept: number | null = null,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    delete from login_session where (user_id = ${userId} or impersonator_id = ${userId}) and id is distinct from ${kept}::bigint
    returning id`.execute(tx)
  return rows.map(row => row.id)
}

/** Deletes impersonations that began in this session. Returns their ids. */
export async function deleteChildSessions(tx: Tx, parentSessionId: number): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`delete from login_session where parent_session_id = ${parentSessionId} returning id`.execute(
    tx,
  )
  return rows.map(row => row.id)
}

/** Deletes one session of a user; false if there is none. */
export async function deleteSessionOf(tx: Tx, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('login_session')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** After a restore. */
export async function deleteAllSessions(tx: Tx): Promise<void> {
  await tx.deleteFrom('login_session').execute()
}

export type SessionRow = {
  id: number
  userAgent: string
  createdAt: Date
  lastSeenAt: Date
  impersonatorId: number | null
}

/** Active sessions of a user, most recently used first. */
export async function selectSessions(db: Db, userId: number): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select s.id, coalesce(s.user_agent, '') as "userAgent", s.created_at as "createdAt", s.last_seen_at as "lastSeenAt",
           s.impersonator_id as "impersonatorId"
      from ${SESSIONS_WITH_USERS}
      where ${IS_ACTIVE} and s.user_id = ${userId}
      order by s.last_seen_at desc, s.id desc`.execute(db)
  return rows
}

/** Deletes impersonations by and of a user. Returns their ids. */
export async function deleteImpersonations(tx: Tx, userId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    delete from login_session
      where impersonator_id = ${userId} or (user_id = ${userId} and impersonator_id is not null) returning id`.execute(
    tx,
  )
  return rows.map(row => row.id)
}

/** Call it after the commit, never inside a transaction. */
export async function notify(db: Db, channel: string, payload: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(db)
}
