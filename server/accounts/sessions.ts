/**
 * Sign-ins: an opaque random token of which only the SHA-256 is kept, looked up at every call together with its user, so that
 * blocking and deleting end it at once.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Role } from '#contract/accounts.ts'
import type { Context } from '#server/platform/context.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { findSession, insertSession, notify, touchSession } from './session-store.ts'
import type { ActiveSession, NewSession } from './session-store.ts'

/** Database channel: sessions have ended. The payload is JSON, `{userId}` for all of a user or `{sessionId}` for one. */
export const SESSION_ENDED_CHANNEL = 'session_ended'

/** Days a sign-in can live at most; it also ends after 24 idle hours, an administrator's after 12 hours. */
export const SESSION_DAYS = 14
const ADMIN_HOURS = 12
/** Hours that an administrator is signed in as somebody else, busy or not. */
const IMPERSONATION_HOURS = 1

/** What is kept of a token: of a sign-in, of a mailed link. */
export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * What the download cookie of a token holds. It follows from the token, so that `verify` in any tab sets the very same cookie
 * and two tabs cannot take it from each other; the token does not follow from it.
 */
export const downloadCookieValue = (token: string): string =>
  createHmac('sha256', token).update('download').digest('base64url')

/** Begins a sign-in and returns its token. */
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

/** Begins an administrator's short sign-in as another user, in one of his own. */
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
  const token = `sl_${randomBytes(32).toString('base64url')}`
  const expiresAt = await insertSession(tx, {
    ...session,
    tokenHash: sha256(token),
    downloadHash: sha256(downloadCookieValue(token)),
    userAgent: printableAscii(session.userAgent),
  })
  return { token, expiresAt }
}

/** Who is behind a token; null when it is unknown, over, or its user is blocked. */
export const authenticate =
  (ctx: Context) =>
  async (token: string): Promise<Caller | null> =>
    token.startsWith('sl_')
      ? toCaller(ctx, await findSession(ctx.database.db, 'token_hash', sha256(token)))
      : null

/** Who is behind the value of a download cookie. It opens downloads and nothing else. */
export const authenticateDownload =
  (ctx: Context) =>
  async (value: string): Promise<Caller | null> =>
    value === ''
      ? null
      : toCaller(ctx, await findSession(ctx.database.db, 'download_hash', sha256(value)))

async function toCaller(ctx: Context, session: ActiveSession | undefined): Promise<Caller | null> {
  if (!session) return null
  const { stale, ...caller } = session
  if (stale) await touchSession(ctx.database.db, caller.sessionId)
  return caller
}

/** Tells all processes that sign-ins ended, so that their sockets close. Call it after the commit. */
export async function publishSessionsEnded(
  ctx: Context,
  ended: ({ userId: number } | { sessionId: number })[],
): Promise<void> {
  for (const one of ended) await notify(ctx.database.db, SESSION_ENDED_CHANNEL, JSON.stringify(one))
}

const printableAscii = (text: string): string => text.replace(/[^\x20-\x7e]/g, '').slice(0, 300)
