/**
 * Who is signed in. The token is remembered by this browser, the user is asked of the server at each start
 * (specification, 4). Everything that must be reset with a sign-in registers here, so that this file knows no room.
 */
import { create } from 'zustand'
import type { UserSummary, User } from '#contract/accounts.ts'
import { logout, verifySession } from '#contract/accounts.ts'
import { ApiError, configureSend, send } from './send.ts'
import { readToken, onTokenChangedInOtherTab, writeToken } from './tokens.ts'

type Session = {
  token: string | null
  user: User | null
  /** The administrator who is signed in as this user; null where users are themselves. */
  impersonator: UserSummary | null
  /**
   * `checking`: a remembered token is being verified; `away`: it could not be, the server was out of reach; `ended`: the sign-in
   * is over while its user works. He stays on his page, with all he has typed, and calls wait until he has signed in again.
   */
  state: 'checking' | 'ready' | 'unreachable' | 'ended'
  /** How the last sign-in was left: by logout, or after it had ended by itself. The sign-in page says the second. */
  endReason: 'logout' | 'expired' | null
  /** The administrator has just come back from being this user (null: not known, after a reload): by his own wish or because it ended. */
  impersonationEnd: { from: string | null; reason: 'requested' | 'ended' } | null
}

const storedToken = readToken('own')

export const useSession = create<Session>(() => ({
  token: storedToken,
  user: null,
  impersonator: null,
  state: storedToken ? 'checking' : 'ready',
  endReason: null,
  impersonationEnd: null,
}))

const sessionEndHandlers = new Set<() => void>()

/** Runs `reset` whenever a sign-in ends: logout, a dead token, another user in this browser. */
export const onSessionEnd = (reset: () => void): void => {
  sessionEndHandlers.add(reset)
}

/** Calls of a session that has ended, until its user signs in again (a token) or leaves (null). */
let pendingSignIn: PromiseWithResolvers<string | null> | null = null

function resolvePendingSignIn(token: string | null): void {
  pendingSignIn?.resolve(token)
  pendingSignIn = null
}

/** Stores a sign-in: login, register, a referral applied. With `actor`: that administrator is signed in as this user. */
export function startSession(token: string, user: User, actor: UserSummary | null = null): void {
  const before = useSession.getState()
  if (before.user && before.user._id !== user._id) {
    resolvePendingSignIn(null)
    runSessionEndHandlers()
  }
  // The same sign-in again, with a newer user, is still the same administrator's.
  const behind = token === before.token ? before.impersonator : actor
  if (!behind) writeToken('admin', null)
  writeToken('own', token)
  useSession.setState({
    token,
    user,
    impersonator: behind,
    state: 'ready',
    endReason: null,
    impersonationEnd: null,
  })
  resolvePendingSignIn(token)
}

/** The administrator is that user for a while. His own token is kept beside, so that every tab finds back. */
export function enterImpersonation({
  token,
  user,
  actor,
}: {
  token: string
  user: User
  actor: UserSummary
}): void {
  // Before the other one: tabs that hear of the new token must find the way back.
  writeToken('admin', useSession.getState().token)
  startSession(token, user, actor)
}

/** The administrator is himself again, at once; the server ends the sign-in as the user. */
export function leaveImpersonation(): void {
  const { token } = useSession.getState()
  restoreAdminSession('requested', token ? revokeToken(token) : undefined)
}

/** `before`: what must have been answered before the server is asked who he is, because both answers set the cookie for downloads. */
function restoreAdminSession(reason: 'requested' | 'ended', before?: Promise<void>): void {
  const { token, user } = useSession.getState()
  const own = readToken('own')
  // Another tab may have come back already.
  const next = readToken('admin') ?? (own === token ? null : own)
  if (!next) return clearSession('expired')
  writeToken('own', next)
  writeToken('admin', null)
  resolvePendingSignIn(null)
  runSessionEndHandlers()
  const comingBack = { from: user?.name ?? null, reason }
  useSession.setState({
    token: next,
    user: null,
    impersonator: null,
    state: 'checking',
    endReason: null,
    impersonationEnd: comingBack,
  })
  void Promise.resolve(before).then(checkSession)
}

/** He stands on his own pages again. */
export const clearImpersonationEnd = (): void => useSession.setState({ impersonationEnd: null })

function clearSession(departure: Session['endReason']): void {
  writeToken('own', null)
  writeToken('admin', null)
  useSession.setState({
    token: null,
    user: null,
    impersonator: null,
    state: 'ready',
    endReason: departure,
    impersonationEnd: null,
  })
  resolvePendingSignIn(null)
  runSessionEndHandlers()
}

/**
 * The token in use is dead. The remembered one is left where it is: taking it away would throw other tabs out before their users
 * have been asked. During the first check nothing was being worked on: the visitor is simply not signed in. An administrator who
 * was somebody else is not asked for that one's password but becomes himself.
 */
function expireSession(): void {
  const { user, impersonator } = useSession.getState()
  if (user && !impersonator) useSession.setState({ token: null, state: 'ended' })
  else abandonSession()
}

/** The sign-in is over, and not to be renewed where it stands. */
function abandonSession(): void {
  const { user, impersonator, impersonationEnd } = useSession.getState()
  if (impersonator || (!user && readToken('admin'))) restoreAdminSession('ended')
  else clearSession(impersonationEnd ? 'expired' : null)
}

/** Whoever sits before a session that has ended is not its user, or does not want to go on: what belonged to it goes. */
export const discardExpiredSession = (): void => clearSession('expired')

function runSessionEndHandlers(): void {
  for (const reset of sessionEndHandlers) reset()
}

/** Ends this sign-in here at once, with the administrator's behind it, and tells the server; one out of reach keeps nobody signed in. */
export function logOut(): void {
  const tokens = [useSession.getState().token, readToken('admin')]
  clearSession('logout')
  for (const token of tokens) if (token) void revokeToken(token)
}

/** Nobody waits for the answer: a sign-in that could not be ended ends by itself. */
const revokeToken = (token: string): Promise<void> =>
  send(logout, {}, { token }).then(
    () => {},
    () => {},
  )

/**
 * Asks the server who the token is. A token it refuses is cleared with the user; a server that cannot be reached leaves
 * both, so that a lost network signs nobody out.
 */
export async function checkSession(): Promise<void> {
  const { token } = useSession.getState()
  if (!token) return
  useSession.setState(({ user }) => ({ state: user ? 'ready' : 'checking' }))
  try {
    const { user, actor } = await send(verifySession, {})
    if (useSession.getState().token === token)
      useSession.setState({ user, impersonator: actor, state: 'ready' })
  } catch (reason) {
    if (useSession.getState().token !== token) return
    const refused =
      reason instanceof ApiError
      && reason.status >= 400
      && reason.status < 500
      && reason.status !== 429
    if (refused) abandonSession()
    else useSession.setState(({ user }) => ({ state: user ? 'ready' : 'unreachable' }))
  }
}

/** After anything that changes the balance. Keeps the old figures when it fails. */
export const refreshUser = (): Promise<void> => checkSession()

/** The signed-in user. Only below the protected route, where there is one. */
export function useUser(): User {
  const user = useSession(session => session.user)
  if (!user) throw new Error('useUser needs a signed-in user')
  return user
}

configureSend({
  getToken: () => useSession.getState().token,
  onUnauthorized: expireSession,
  waitForNewToken: () =>
    useSession.getState().state === 'ended'
      ? (pendingSignIn ??= Promise.withResolvers()).promise
      : Promise.resolve(null),
})

/**
 * Another tab signed in. As the same person: this one goes on with the new token where it stands. As somebody else: it must not
 * go on showing the first one's money.
 */
async function adoptTokenOfOtherTab(token: string): Promise<void> {
  const known =
    useSession.getState().user && (await send(verifySession, {}, { token }).catch(() => null))
  if (readToken('own') !== token) return // and a third time since
  if (known) return startSession(token, known.user, known.actor)
  resolvePendingSignIn(null)
  runSessionEndHandlers()
  useSession.setState({
    token,
    user: null,
    impersonator: null,
    state: 'checking',
    endReason: null,
    impersonationEnd: null,
  })
  await checkSession()
}

onTokenChangedInOtherTab(token => {
  if (token === useSession.getState().token) return
  if (token) void adoptTokenOfOtherTab(token)
  else clearSession(null)
})
