/**
 * Who is signed in. The token is remembered by this browser, the user is asked of the server at each start
 * (specification, 4). Everything that must be reset with a sign-in registers here, so that this file knows no room.
 */
import { create } from 'zustand'
import type { Person, User } from '#contract/accounts.ts'
import { logout, verify } from '#contract/accounts.ts'
import { ApiError, connect, send } from './send.ts'
import { readToken, whenAnotherTabSigns, writeToken } from './tokens.ts'

type Session = {
  token: string | null
  user: User | null
  /** The administrator who is signed in as this user; null where users are themselves. */
  actor: Person | null
  /**
   * `checking`: a remembered token is being verified; `away`: it could not be, the server was out of reach; `ended`: the sign-in
   * is over while its user works. He stays on his page, with all he has typed, and calls wait until he has signed in again.
   */
  state: 'checking' | 'ready' | 'away' | 'ended'
  /** How the last sign-in was left: by logout, or after it had ended by itself. The sign-in page says the second. */
  departure: 'logout' | 'expired' | null
  /** The administrator has just come back from being this user (null: not known, after a reload): by his own wish or because it ended. */
  comingBack: { from: string | null; why: 'wish' | 'ended' } | null
}

const remembered = readToken('own')

export const useSession = create<Session>(() => ({
  token: remembered,
  user: null,
  actor: null,
  state: remembered ? 'checking' : 'ready',
  departure: null,
  comingBack: null,
}))

const resets = new Set<() => void>()

/** Runs `reset` whenever a sign-in ends: logout, a dead token, another user in this browser. */
export const whenSessionEnds = (reset: () => void): void => {
  resets.add(reset)
}

/** Calls of a session that has ended, until its user signs in again (a token) or leaves (null). */
let waiting: PromiseWithResolvers<string | null> | null = null

function settleWaiting(token: string | null): void {
  waiting?.resolve(token)
  waiting = null
}

/** Stores a sign-in: login, register, a referral applied. With `actor`: that administrator is signed in as this user. */
export function startSession(token: string, user: User, actor: Person | null = null): void {
  const before = useSession.getState()
  if (before.user && before.user._id !== user._id) {
    settleWaiting(null)
    runResets()
  }
  // The same sign-in again, with a newer user, is still the same administrator's.
  const behind = token === before.token ? before.actor : actor
  if (!behind) writeToken('admin', null)
  writeToken('own', token)
  useSession.setState({
    token,
    user,
    actor: behind,
    state: 'ready',
    departure: null,
    comingBack: null,
  })
  settleWaiting(token)
}

/** The administrator is that user for a while. His own token is kept beside, so that every tab finds back. */
export function actAs({ token, user, actor }: { token: string; user: User; actor: Person }): void {
  // Before the other one: tabs that hear of the new token must find the way back.
  writeToken('admin', useSession.getState().token)
  startSession(token, user, actor)
}

/** The administrator is himself again, at once; the server ends the sign-in as the user. */
export function returnToAdmin(): void {
  const { token } = useSession.getState()
  comeBack('wish', token ? tellEnded(token) : undefined)
}

/** `before`: what must have been answered before the server is asked who he is, because both answers set the cookie for downloads. */
function comeBack(why: 'wish' | 'ended', before?: Promise<void>): void {
  const { token, user } = useSession.getState()
  const own = readToken('own')
  // Another tab may have come back already.
  const next = readToken('admin') ?? (own === token ? null : own)
  if (!next) return clearSession('expired')
  writeToken('own', next)
  writeToken('admin', null)
  settleWaiting(null)
  runResets()
  const comingBack = { from: user?.name ?? null, why }
  useSession.setState({
    token: next,
    user: null,
    actor: null,
    state: 'checking',
    departure: null,
    comingBack,
  })
  void Promise.resolve(before).then(checkSession)
}

/** He stands on his own pages again. */
export const arriveBack = (): void => useSession.setState({ comingBack: null })

function clearSession(departure: Session['departure']): void {
  writeToken('own', null)
  writeToken('admin', null)
  useSession.setState({
    token: null,
    user: null,
    actor: null,
    state: 'ready',
    departure,
    comingBack: null,
  })
  settleWaiting(null)
  runResets()
}

/**
 * The token in use is dead. The remembered one is left where it is: taking it away would throw other tabs out before their users
 * have been asked. During the first check nothing was being worked on: the visitor is simply not signed in. An administrator who
 * was somebody else is not asked for that one's password but becomes himself.
 */
function endSession(): void {
  const { user, actor } = useSession.getState()
  if (user && !actor) useSession.setState({ token: null, state: 'ended' })
  else giveUp()
}

/** The sign-in is over, and not to be renewed where it stands. */
function giveUp(): void {
  const { user, actor, comingBack } = useSession.getState()
  if (actor || (!user && readToken('admin'))) comeBack('ended')
  else clearSession(comingBack ? 'expired' : null)
}

/** Whoever sits before a session that has ended is not its user, or does not want to go on: what belonged to it goes. */
export const leaveEndedSession = (): void => clearSession('expired')

function runResets(): void {
  for (const reset of resets) reset()
}

/** Ends this sign-in here at once, with the administrator's behind it, and tells the server; one out of reach keeps nobody signed in. */
export function logOut(): void {
  const tokens = [useSession.getState().token, readToken('admin')]
  clearSession('logout')
  for (const token of tokens) if (token) void tellEnded(token)
}

/** Nobody waits for the answer: a sign-in that could not be ended ends by itself. */
const tellEnded = (token: string): Promise<void> =>
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
    const { user, actor } = await send(verify, {})
    if (useSession.getState().token === token) useSession.setState({ user, actor, state: 'ready' })
  } catch (reason) {
    if (useSession.getState().token !== token) return
    const refused =
      reason instanceof ApiError
      && reason.status >= 400
      && reason.status < 500
      && reason.status !== 429
    if (refused) giveUp()
    else useSession.setState(({ user }) => ({ state: user ? 'ready' : 'away' }))
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

connect({
  token: () => useSession.getState().token,
  ended: endSession,
  again: () =>
    useSession.getState().state === 'ended'
      ? (waiting ??= Promise.withResolvers()).promise
      : Promise.resolve(null),
})

/**
 * Another tab signed in. As the same person: this one goes on with the new token where it stands. As somebody else: it must not
 * go on showing the first one's money.
 */
async function followTab(token: string): Promise<void> {
  const known = useSession.getState().user && (await send(verify, {}, { token }).catch(() => null))
  if (readToken('own') !== token) return // and a third time since
  if (known) return startSession(token, known.user, known.actor)
  settleWaiting(null)
  runResets()
  useSession.setState({
    token,
    user: null,
    actor: null,
    state: 'checking',
    departure: null,
    comingBack: null,
  })
  await checkSession()
}

whenAnotherTabSigns(token => {
  if (token === useSession.getState().token) return
  if (token) void followTab(token)
  else clearSession(null)
})
