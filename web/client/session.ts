/** The session of this browser. The token is remembered; the server says at each start which user it belongs to. */
import { create } from 'zustand'
import type { UserSummary, User } from '#contract/accounts.ts'
import { logout, verifySession } from '#contract/accounts.ts'
import type { ResponseData } from '#contract/endpoint.ts'
import { ApiError, configureSend, send } from './send.ts'
import { readToken, onTokenChangedElsewhere, writeToken } from './tokens.ts'

type Session = {
  token: string | null
  user: User | null
  /** The administrator who is signed in as this user. */
  impersonator: UserSummary | null
  /**
   * `checking`: a remembered token is being verified. `unreachable`: the server did not respond. `ended`: the session expired
   * while in use; the page stays with everything typed, and calls wait for the next sign-in.
   */
  state: 'checking' | 'ready' | 'unreachable' | 'ended'
  /** How the last session ended. The sign-in page mentions `expired`. */
  endReason: 'logout' | 'expired' | null
  /** The user must set up a second factor before anything else. */
  secondFactorRequired: boolean
  /** Set when an administrator returns from being a user. `from` is the user's name; null when unknown, after a reload. */
  impersonationEnd: { from: string | null; reason: 'requested' | 'ended' } | null
}

const ASK_AGAIN_MS = 5_000

const storedToken = readToken('own')

export const useSession = create<Session>(() => ({
  token: storedToken,
  user: null,
  impersonator: null,
  state: storedToken ? 'checking' : 'ready',
  endReason: null,
  secondFactorRequired: false,
  impersonationEnd: null,
}))

const sessionEndHandlers = new Set<() => void>()

/** Runs `reset` when a session ends: sign-out, expired token, another user in this browser. */
export const onSessionEnd = (reset: () => void): void => {
  sessionEndHandlers.add(reset)
}

/** Tokens that the signed-in user had before in this page: calls under way may still carry them. */
const earlierTokens = new Set<string>()
onSessionEnd(() => earlierTokens.clear())

/** Resolves with the new token when the user signs in again, with null when they leave. */
let pendingSignIn: PromiseWithResolvers<string | null> | null = null

function resolvePendingSignIn(token: string | null): void {
  pendingSignIn?.resolve(token)
  pendingSignIn = null
}

/** Stores a sign-in. With `actor`, that administrator is signed in as `user`. */
export function startSession(token: string, user: User, actor: UserSummary | null = null): void {
  const before = useSession.getState()
  if (before.user && before.user._id !== user._id) {
    resolvePendingSignIn(null)
    runSessionEndHandlers()
    useSession.setState({ secondFactorRequired: false })
  } else if (before.token && before.token !== token) earlierTokens.add(before.token)
  // The same token with a newer user keeps its impersonator.
  const impersonator = token === before.token ? before.impersonator : actor
  if (!impersonator) writeToken('admin', null)
  writeToken('own', token)
  useSession.setState({
    token,
    user,
    impersonator,
    state: 'ready',
    endReason: null,
    impersonationEnd: null,
  })
  resolvePendingSignIn(token)
}

/** Signs an administrator in as a user. Their own token is stored too, so that every tab can return. */
export function enterImpersonation({
  token,
  user,
  actor,
}: {
  token: string
  user: User
  actor: UserSummary
}): void {
  // First the admin token: other tabs react to the new one and then need the way back.
  writeToken('admin', useSession.getState().token)
  startSession(token, user, actor)
}

/** Restores the administrator's own session at once and revokes the one as the user. */
export function leaveImpersonation(): void {
  const { token } = useSession.getState()
  restoreAdminSession('requested', token ? revokeToken(token) : undefined)
}

/** `before` must finish before the session check, because both responses set the download cookie. */
function restoreAdminSession(reason: 'requested' | 'ended', before?: Promise<void>): void {
  const { token, user } = useSession.getState()
  const own = readToken('own')
  // Another tab may have returned already.
  const next = readToken('admin') ?? (own === token ? null : own)
  if (!next) return clearSession('expired')
  writeToken('own', next)
  writeToken('admin', null)
  resolvePendingSignIn(null)
  runSessionEndHandlers()
  useSession.setState({
    token: next,
    user: null,
    impersonator: null,
    state: 'checking',
    endReason: null,
    secondFactorRequired: false,
    impersonationEnd: { from: user?.name ?? null, reason },
  })
  void Promise.resolve(before).then(checkSession)
}

export const clearImpersonationEnd = (): void => useSession.setState({ impersonationEnd: null })

function clearSession(endReason: Session['endReason']): void {
  writeToken('own', null)
  writeToken('admin', null)
  useSession.setState({
    token: null,
    user: null,
    impersonator: null,
    state: 'ready',
    endReason,
    secondFactorRequired: false,
    impersonationEnd: null,
  })
  resolvePendingSignIn(null)
  runSessionEndHandlers()
}

/**
 * The server no longer accepts the token. It stays in storage: removing it would sign other tabs out without asking for the
 * password. During the first check there is no work to keep, so the visitor is simply signed out. An impersonating
 * administrator returns to their own session.
 */
function expireSession(): void {
  const { token, user, impersonator } = useSession.getState()
  if (!user || impersonator) return abandonSession()
  if (token) earlierTokens.add(token)
  useSession.setState({ token: null, state: 'ended' })
}

/** Ends the session without asking for the password. */
function abandonSession(): void {
  const { user, impersonator, impersonationEnd } = useSession.getState()
  if (impersonator || (!user && readToken('admin'))) restoreAdminSession('ended')
  else clearSession(impersonationEnd ? 'expired' : null)
}

/** For a user who does not want to renew the expired session. */
export const discardExpiredSession = (): void => clearSession('expired')

function runSessionEndHandlers(): void {
  for (const reset of sessionEndHandlers) reset()
}

/** Signs out at once, including the impersonating administrator. The server is told, but not waited for. */
export function logOut(): void {
  const tokens = [useSession.getState().token, readToken('admin')]
  clearSession('logout')
  for (const token of tokens) if (token) void revokeToken(token)
}

/** Never rejects: a session that could not be revoked expires. */
const revokeToken = (token: string): Promise<void> =>
  send(logout, {}, { token }).then(
    () => {},
    () => {},
  )

/** Counts the checks: an answer that comes after a later one's is older, and its balance is not shown. */
let lastCheck = 0
let lastAnswered = 0
let checkedAtMs = 0

/** Asks the server for the token's user. A refused token is cleared; without a response the session stays as it is. */
export async function checkSession(): Promise<void> {
  const { token } = useSession.getState()
  if (!token) return
  const check = ++lastCheck
  checkedAtMs = Date.now()
  useSession.setState(({ user }) => ({ state: user ? 'ready' : 'checking' }))
  try {
    const { user, actor, secondFactorRequired } = await send(verifySession, {})
    if (useSession.getState().token !== token || check < lastAnswered) return
    lastAnswered = check
    useSession.setState({ user, impersonator: actor, secondFactorRequired, state: 'ready' })
  } catch (reason) {
    if (useSession.getState().token !== token) return
    if (isRefusal(reason)) abandonSession()
    else useSession.setState(({ user }) => ({ state: user ? 'ready' : 'unreachable' }))
  }
}

/** The server would answer the same again. Otherwise it was busy or could not be reached. */
const isRefusal = (reason: unknown): boolean =>
  reason instanceof ApiError && reason.status >= 400 && reason.status < 500 && reason.status !== 429

/** Stores a new sign-in, and learns what the server requires of the user first. */
export async function beginSession(token: string, user: User): Promise<void> {
  startSession(token, user)
  await checkSession()
}

/** Call it after anything that changes the balance. A failure keeps the old figures. */
export const refreshUser = (): Promise<void> => checkSession()

/** The balance may have been spent in another tab. */
export async function refreshUserOlderThan(ageMs: number): Promise<void> {
  if (useSession.getState().user && Date.now() - checkedAtMs >= ageMs) await refreshUser()
}

/** Whether an administrator is signed in as the user. */
export const useIsSupport = (): boolean => useSession(session => session.impersonator !== null)

/** Use it below RequireSignIn. Throws when no user is signed in. */
export function useUser(): User {
  const user = useSession(session => session.user)
  if (!user) throw new Error('useUser needs a signed-in user')
  return user
}

configureSend({
  getToken: () => useSession.getState().token,
  onUnauthorized: expireSession,
  waitForNewToken: async refused => {
    const { state, token } = useSession.getState()
    if (state === 'ended') return (pendingSignIn ??= Promise.withResolvers()).promise
    return refused !== null && earlierTokens.has(refused) ? token : null
  },
  onSecondFactorRequired: () => useSession.setState({ secondFactorRequired: true }),
})

/** Null for a token that is refused or was replaced meanwhile. What is typed in this page stays while the server does not answer. */
async function verifyUntilAnswered(
  token: string,
): Promise<ResponseData<typeof verifySession> | null> {
  while (readToken('own') === token) {
    try {
      return await send(verifySession, {}, { token })
    } catch (reason) {
      if (isRefusal(reason)) return null
      await new Promise(done => setTimeout(done, ASK_AGAIN_MS))
    }
  }
  return null
}

/** Another tab signed in. The same user continues with the new token; for another user everything is reset. */
async function adoptTokenOfOtherTab(token: string): Promise<void> {
  const known = useSession.getState().user && (await verifyUntilAnswered(token))
  if (readToken('own') !== token) return // changed again meanwhile
  if (known) return startSession(token, known.user, known.actor)
  resolvePendingSignIn(null)
  runSessionEndHandlers()
  useSession.setState({
    token,
    user: null,
    impersonator: null,
    state: 'checking',
    endReason: null,
    secondFactorRequired: false,
    impersonationEnd: null,
  })
  await checkSession()
}

onTokenChangedElsewhere(token => {
  if (token === useSession.getState().token) return
  // Of a session that has ended here, whose page waits for the next sign-in.
  if (token && earlierTokens.has(token)) return
  if (token) void adoptTokenOfOtherTab(token)
  else clearSession(null)
})
