/**
 * Sessions: an opaque random token, stored as its SHA-256. Each request looks it up together with
 * its user, so that blocking and deleting take effect at once.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Role } from '#contract/accounts.ts'
import type { Context } from '#server/platform/context.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { SESSION_MARK } from '#server/platform/http/caller-token.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { Groups } from '#server/platform/process/groups.ts'
import { mustHaveFactor, proofMethods } from './second-factor-rules.ts'
import {
  findSessions,
  insertSession,
  notify,
  selectActiveSessions,
  touchSession,
} from './session-store.ts'
import type { ActiveSession, NewSession } from './session-store.ts'

export { deleteAllSessions } from './session-store.ts'

/**
 * Database channel: sessions have ended. The payload is JSON, `{userId}` for all of a user or
 * `{sessionId}` for one.
 */
export const SESSION_ENDED_CHANNEL = 'session_ended'

/** Longest session in days. It also ends after 24 idle hours; an administrator's after 12 hours. */
export const SESSION_DAYS = 14
const ADMIN_HOURS = 12
const IMPERSONATION_HOURS = 1

/** The stored form of a token, of a session or a reset link. */
export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * The value of a token's download cookie. It derives from the token, so that `verify` sets the same
 * cookie in every tab; the token cannot be derived from it.
 */
export const downloadCookieValue = (token: string): string =>
  createHmac('sha256', token).update('download').digest('base64url')

/** Returns the token. */
export async function beginSession(
  tx: Tx,
  user: { id: number; role: Role },
  userAgent: string,
): Promise<string> {
  const hours = user.role === 'admin' ? ADMIN_HOURS : SESSION_DAYS * 24
  return (
    await createSession(tx, {
      userId: user.id,
      impersonatorId: null,
      parentSessionId: null,
      userAgent,
      hours,
    })
  ).token
}

/** Starts an administrator's session as another user, inside the administrator's own session. */
export const beginImpersonation = (
  tx: Tx,
  userId: number,
  { userId: impersonatorId, sessionId: parentSessionId }: Caller,
  userAgent: string,
): Promise<SessionToken> =>
  createSession(tx, {
    userId,
    impersonatorId,
    parentSessionId,
    userAgent,
    hours: IMPERSONATION_HOURS,
  })

type SessionToken = { token: string; expiresAt: Date }

async function createSession(
  tx: Tx,
  session: Pick<
    NewSession,
    'userId' | 'impersonatorId' | 'parentSessionId' | 'userAgent' | 'hours'
  >,
): Promise<SessionToken> {
  const token = `${SESSION_MARK}${randomBytes(32).toString('base64url')}`
  const expiresAt = await insertSession(tx, {
    ...session,
    tokenHash: sha256(token),
    downloadHash: sha256(downloadCookieValue(token)),
    userAgent: printableAscii(session.userAgent),
  })
  return { token, expiresAt }
}

/** Null if the token is unknown or expired, or its user is blocked. */
export function authenticate(ctx: Context): (token: string) => Promise<Caller | null> {
  const sessions = sessionsBy(ctx, 'token_hash')
  return async token =>
    token.startsWith(SESSION_MARK) ? toCaller(ctx, await sessions.add(sha256(token))) : null
}

/** For live connections. They do not count as use of a session: it still ends after an idle day. */
export const findActiveSessions =
  ({ database }: Context) =>
  (ids: number[]): Promise<Set<number>> =>
    selectActiveSessions(database.db, ids)

/** For the value of a download cookie, which authorizes downloads only. */
export function authenticateDownload(ctx: Context): (value: string) => Promise<Caller | null> {
  const sessions = sessionsBy(ctx, 'download_hash')
  return async value => (value === '' ? null : toCaller(ctx, await sessions.add(sha256(value))))
}

const LOOK_UPS = { most: 100, mostGroups: 4, slowMs: 20, patienceMs: 15_000 }

/** Look-ups that are asked for at the same time are one query; each reads what is committed before it. */
const sessionsBy = (ctx: Context, by: 'token_hash' | 'download_hash') =>
  new Groups<Buffer, ActiveSession | undefined>(async hashes => {
    const found = await findSessions(ctx.database.db, by, hashes)
    return hashes.map(hash => found.get(hash.toString('base64')))
  }, LOOK_UPS)

async function toCaller(ctx: Context, session: ActiveSession | undefined): Promise<Caller | null> {
  if (!session) return null
  const { stale, proven, factors, ...caller } = session
  if (stale) await touchSession(ctx.database.db, caller.sessionId)
  const assurance = {
    isProven: proven || !ctx.config.requireProof,
    lacksFactor:
      factors === null && caller.impersonatorId === null && mustHaveFactor(ctx.config, caller.role),
    methods: proofMethods(factors ?? []),
  }
  return { ...caller, key: null, assurance }
}

/** Tells all processes to close the sockets of ended sessions, and all of `userId`. Call it after the commit. */
export async function publishSessionsEnded(
  ctx: Context,
  sessionIds: readonly number[],
  userId?: number,
): Promise<void> {
  const ended = sessionIds.map(sessionId => ({ sessionId }))
  for (const one of userId === undefined ? ended : [{ userId }, ...ended])
    await notify(ctx.database.db, SESSION_ENDED_CHANNEL, JSON.stringify(one))
}

const printableAscii = (text: string): string => text.replace(/[^\x20-\x7e]/g, '').slice(0, 300)
