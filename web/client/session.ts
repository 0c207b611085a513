/**
 * Who is signed in. The token is remembered by this browser, the user is asked of the server at each start
 * (specification, 4). Everything that must be reset with a sign-in registers here, so that this file knows no room.
 */
import { create } from 'zustand'
import type { User } from '#contract/accounts.ts'
import { logout, verify } from '#contract/accounts.ts'
import { ApiError, connect, send } from './send.ts'

const TOKEN_KEY = 'evenpost.token'

type Session = {
  token: string | null
  user: User | null
  /**
   * `checking`: a remembered token is being verified; `away`: it could not be, the server was out of reach; `ended`: the sign-in
   * is over while its user works. He stays on his page, with all he has typed, and calls wait until he has signed in again.
   */
  state: 'checking' | 'ready' | 'away' | 'ended'
  /** How the last sign-in was left: by logout, or after it had ended by itself. The sign-in page says the second. */
  departure: 'logout' | 'expired' | null
}

const remembered = readToken()

export const useSession = create<Session>(() => ({
  token: remembered, user: null, state: remembered ? 'checking' : 'ready', departure: null,
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

/** Stores a sign-in: login, register, a referral applied, an administrator as somebody. */
export function startSession(token: string, user: User): void {
  const before = useSession.getState().user
  if (before && before._id !== user._id) {
    settleWaiting(null)
    runResets()
  }
  writeToken(token)
  useSession.setState({ token, user, state: 'ready', departure: null })
  settleWaiting(token)
}

function clearSession(departure: Session['departure']): void {
  writeToken(null)
  useSession.setState({ token: null, user: null, state: 'ready', departure })
  settleWaiting(null)
  runResets()
}

/**
 * The token in use is dead. The remembered one is left where it is: taking it away would throw other tabs out before their users
 * have been asked. During the first check nothing was being worked on: the visitor is simply not signed in.
 */
function endSession(): void {
  if (useSession.getState().user) useSession.setState({ token: null, state: 'ended' })
  else clearSession(null)
}

/** Whoever sits before a session that has ended is not its user, or does not want to go on: what belonged to it goes. */
export const leaveEndedSession = (): void => clearSession('expired')

function runResets(): void {
  for (const reset of resets) reset()
}

/** Ends this sign-in here at once and tells the server; a server out of reach does not keep anyone signed in. */
export function logOut(): void {
  const { token } = useSession.getState()
  if (token) void send(logout, {}).catch(() => {})
  clearSession('logout')
}

/**
 * Asks the server who the token is. A token it refuses is cleared with the user; a server that cannot be reached leaves
 * both, so that a lost network signs nobody out.
 */
export async function checkSession(): Promise<void> {
  const { token } = useSession.getState()
  if (!token) return
  useSession.setState(({ user }) => ({ state: user ? 'ready' : 'checking' }))
  try {
    const { user } = await send(verify, {})
    if (useSession.getState().token === token) useSession.setState({ user, state: 'ready' })
  } catch (reason) {
    if (useSession.getState().token !== token) return
    const refused = reason instanceof ApiError && reason.status >= 400 && reason.status < 500 && reason.status !== 429
    if (refused) clearSession(null)
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

/** In private windows storage may be closed; the sign-in then lasts as long as the page. */
function readToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_KEY)
  } catch {
    return null
  }
}

function writeToken(token: string | null): void {
  try {
    if (token) localStorage.setItem(TOKEN_KEY, token)
    else localStorage.removeItem(TOKEN_KEY)
  } catch {
    // As above.
  }
}

connect({
  token: () => useSession.getState().token,
  ended: endSession,
  again: () => (useSession.getState().state === 'ended' ? (waiting ??= Promise.withResolvers()).promise : Promise.resolve(null)),
})

/**
 * Another tab signed in. As the same person: this one goes on with the new token where it stands. As somebody else: it must not
 * go on showing the first one's money.
 */
async function followTab(token: string): Promise<void> {
  const user = useSession.getState().user && await send(verify, {}, { token }).then(answer => answer.user, () => null)
  if (user) return startSession(token, user)
  settleWaiting(null)
  runResets()
  useSession.setState({ token, user: null, state: 'checking', departure: null })
  await checkSession()
}

if (typeof window !== 'undefined') {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key !== TOKEN_KEY || newValue === useSession.getState().token) return
    if (newValue) void followTab(newValue)
    else clearSession(null)
  })
}
