import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { logout, verifySession } from '#contract/accounts.ts'
import type { UserSummary, User } from '#contract/accounts.ts'
import { createStubServer } from '#tests/support/stub-http-server.ts'
import { configureSend, send } from './send.ts'
import {
  enterImpersonation,
  clearImpersonationEnd,
  checkSession,
  discardExpiredSession,
  logOut,
  leaveImpersonation,
  refreshUser,
  refreshUserOlderThan,
  startSession,
  useSession,
  onSessionEnd,
} from './session.ts'
import { readToken, writeToken } from './tokens.ts'

const ana: User = {
  _id: '7',
  name: 'Ana',
  email: 'ana@example.com',
  user_role: 'user',
  balance: 20,
  referralCode: 'ANA',
  totalDeposit: 20,
  totalSpent: 0,
  activation: 'allow',
  avatar: null,
}
const bea: User = { ...ana, _id: '8', name: 'Bea' }

const root: User = { ...ana, _id: '1', name: 'Root', user_role: 'admin' }
const rootPerson: UserSummary = { _id: '1', name: 'Root', email: root.email }

type Answer = { status: number; user?: User; actor?: UserSummary }
/** The response to /verify; `answers` has responses for single tokens. */
let answer: Answer = { status: 200, user: ana }
let answers: Record<string, Answer> = {}
let signedOut: (string | undefined)[] = []
/** The tokens of all calls. */
let tokens: unknown[] = []
let onLogout = () => {}
/** Runs before a response is sent, after its content is decided. */
let delayed = (): Promise<void> => Promise.resolve()

const server = createStubServer((request, response) => {
  tokens.push(request.headers.token)
  if (request.url === '/api/auth/logout') {
    signedOut.push(request.headers.token as string | undefined)
    onLogout()
  }
  const { status, user, actor = null } = answers[String(request.headers.token)] ?? answer
  void delayed().then(() =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ user, actor, message: 'Please sign in' })),
  )
})

let resets = 0
onSessionEnd(() => {
  resets += 1
})

let base = ''
beforeAll(async () => {
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
})
afterEach(() => vi.unstubAllGlobals())
beforeEach(() => {
  configureSend({ origin: base })
  answer = { status: 200, user: ana }
  answers = {}
  signedOut = []
  tokens = []
  onLogout = () => {}
  useSession.setState({
    token: null,
    user: null,
    impersonator: null,
    state: 'ready',
    endReason: null,
    impersonationEnd: null,
  })
  startSession('abc', ana)
  resets = 0
})

const session = () => {
  const { token, user, state, endReason } = useSession.getState()
  return { token, name: user?.name, state, endReason }
}

test('checking the session again loads the new balance', async () => {
  answer = { status: 200, user: { ...ana, balance: 12.5 } }
  await checkSession()
  expect(useSession.getState().user?.balance).toBe(12.5)
})

test('a page that is seen again asks for the balance only when it is old', async () => {
  await checkSession()
  answer = { status: 200, user: { ...ana, balance: 12.5 } }
  await refreshUserOlderThan(3_600_000)
  expect(tokens).toHaveLength(1)
  await refreshUserOlderThan(0)
  expect(useSession.getState().user?.balance).toBe(12.5)
})

test('an ended session is not checked when its page is seen again', async () => {
  useSession.setState({ token: null, state: 'ended' })
  await refreshUserOlderThan(0)
  expect(tokens).toEqual([])
})

test('a stored token that the server refuses is removed without a notice', async () => {
  useSession.setState({ user: null, state: 'checking' })
  answer = { status: 401 }
  await checkSession()
  expect(session()).toEqual({ token: null, name: undefined, state: 'ready', endReason: null })
})

/** Makes a call with an expired token. Resolves when the session has ended; the call keeps waiting. */
async function whileEnded(): Promise<{ call: Promise<{ user: User }> }> {
  answer = { status: 401 }
  const call = send(verifySession, {})
  await expect.poll(() => session().state).toBe('ended')
  answer = { status: 200, user: ana }
  return { call }
}

test('a token that expires during work ends the session and keeps the page', async () => {
  const { call } = await whileEnded()
  expect(session()).toEqual({ token: null, name: 'Ana', state: 'ended', endReason: null })
  expect(resets).toBe(0)
  discardExpiredSession()
  await expect(call).rejects.toMatchObject({ status: 401 })
})

test('after signing in again, pending calls continue', async () => {
  const { call } = await whileEnded()
  const begunMeanwhile = send(verifySession, {})
  startSession('def', ana)
  expect((await Promise.all([call, begunMeanwhile])).map(({ user }) => user.name)).toEqual([
    'Ana',
    'Ana',
  ])
  expect(tokens.slice(-2)).toEqual(['def', 'def'])
  expect(resets).toBe(0)
})

test('a call is repeated that is refused after another window has renewed the session', async () => {
  answers = { abc: { status: 401 } }
  const call = send(verifySession, {})
  startSession('def', ana)
  expect((await call).user.name).toBe('Ana')
  expect(tokens).toEqual(['abc', 'def'])
})

test('a call that is refused after another user has signed in is not repeated', async () => {
  answers = { abc: { status: 401 }, xyz: { status: 200, user: bea } }
  const call = send(verifySession, {})
  startSession('xyz', bea)
  await expect(call).rejects.toMatchObject({ status: 401 })
  expect(tokens).toEqual(['abc'])
})

test('no pending call of the first user is sent for another user', async () => {
  const { call } = await whileEnded()
  startSession('ghi', bea)
  await expect(call).rejects.toMatchObject({ status: 401 })
  expect(tokens).not.toContain('ghi')
  expect(resets).toBe(1)
})

test('leaving an ended session resets everything that belonged to it', async () => {
  const { call } = await whileEnded()
  discardExpiredSession()
  await expect(call).rejects.toMatchObject({ status: 401 })
  expect(session()).toEqual({ token: null, name: undefined, state: 'ready', endReason: 'expired' })
  expect(resets).toBe(1)
})

test('an aborted call does not wait for the next sign-in', async () => {
  await whileEnded().then(({ call }) => void call.catch(() => {}))
  const leaving = new AbortController()
  const call = send(verifySession, {}, { signal: leaving.signal })
  leaving.abort()
  await expect(call).rejects.toThrow(/abort/)
  discardExpiredSession()
})

test('an unreachable server does not sign the user out', async () => {
  configureSend({ origin: 'http://127.0.0.1:1' })
  await checkSession()
  expect(session()).toEqual({ token: 'abc', name: 'Ana', state: 'ready', endReason: null })
})

test('an unreachable server at the start keeps the token', async () => {
  useSession.setState({ user: null, state: 'checking' })
  answer = { status: 503 }
  await checkSession()
  expect(session()).toEqual({
    token: 'abc',
    name: undefined,
    state: 'unreachable',
    endReason: null,
  })
})

test('signing out clears the session at once and revokes it on the server', async () => {
  const told = new Promise<void>(done => {
    onLogout = done
  })
  logOut()
  expect(session()).toEqual({ token: null, name: undefined, state: 'ready', endReason: 'logout' })
  expect(resets).toBe(1)
  await told
  expect(signedOut).toEqual(['abc'])
})

test('signing in as another user resets everything of the first', () => {
  startSession('def', bea)
  expect(session()).toMatchObject({ token: 'def', name: 'Bea' })
  expect(resets).toBe(1)
})

test('a new token for the same user resets nothing', () => {
  startSession('def', ana)
  expect(resets).toBe(0)
})

test('a response to an earlier token does not change the new session', async () => {
  answer = { status: 401 }
  const late = checkSession()
  startSession('def', bea)
  await late
  expect(session()).toMatchObject({ token: 'def', name: 'Bea' })
})

test('another tab finds the token of the current session', () => {
  expect(readToken('own')).toBe('abc')
  logOut()
  expect(readToken('own')).toBeNull()
})

describe('an administrator signed in as Ana', () => {
  beforeEach(() => {
    answers = {
      admin: { status: 200, user: root },
      short: { status: 200, user: ana, actor: rootPerson },
    }
    startSession('admin', root)
    enterImpersonation({ token: 'short', user: ana, actor: rootPerson })
    resets = 0
  })
  const place = () => {
    const { token, user, impersonator } = useSession.getState()
    return { token, name: user?.name, actor: impersonator?.name, kept: readToken('admin') }
  }
  const asAna = { token: 'short', name: 'Ana', actor: 'Root', kept: 'admin' }
  const himself = { token: 'admin', name: 'Root', actor: undefined, kept: null }

  test("sees Ana's data only, and their own token is stored", () => {
    expect(place()).toEqual(asAna)
    startSession('admin', root)
    enterImpersonation({ token: 'short', user: ana, actor: rootPerson })
    expect(resets).toBe(2)
  })

  test('returns also where the browser has no space to store anything', async () => {
    vi.stubGlobal('localStorage', {
      getItem: () => null,
      removeItem: () => {},
      setItem: () => {
        throw new DOMException('no space', 'QuotaExceededError')
      },
    })
    startSession('admin', root)
    enterImpersonation({ token: 'short', user: ana, actor: rootPerson })
    leaveImpersonation()
    await expect.poll(place).toEqual(himself)
  })

  test('is still signed in as Ana after a reload', async () => {
    useSession.setState({ user: null, impersonator: null, state: 'checking' })
    await checkSession()
    expect(place()).toEqual(asAna)
  })

  test('stays signed in as Ana when her data changes', async () => {
    answers.short = { status: 200, user: { ...ana, balance: 12.5 }, actor: rootPerson }
    await checkSession()
    expect(place()).toEqual(asAna)
    startSession('short', { ...ana, balance: 11 })
    expect(place()).toEqual(asAna)
  })

  test('returns on request: one session is revoked, the other is checked', async () => {
    leaveImpersonation()
    expect(session()).toMatchObject({ token: 'admin', name: undefined, state: 'checking' })
    expect(useSession.getState().impersonationEnd).toEqual({ from: 'Ana', reason: 'requested' })
    expect(resets).toBe(1)
    await expect.poll(place).toEqual(himself)
    expect(signedOut).toEqual(['short'])
    expect(tokens).toEqual(['short', 'admin'])
    clearImpersonationEnd()
    expect(useSession.getState().impersonationEnd).toBeNull()
  })

  test('returns when the sign-in expires, and no pending call is sent as the administrator', async () => {
    answers.short = { status: 401 }
    await expect(send(logout, {})).rejects.toMatchObject({ status: 401 })
    await expect.poll(place).toEqual(himself)
    expect(useSession.getState().impersonationEnd).toEqual({ from: 'Ana', reason: 'ended' })
    expect(signedOut).toEqual(['short'])
    expect(session().state).toBe('ready')
  })

  test('returns when the sign-in expired while the browser was closed', async () => {
    useSession.setState({ user: null, impersonator: null, state: 'checking' })
    answers.short = { status: 401 }
    await checkSession()
    await expect.poll(place).toEqual(himself)
    expect(useSession.getState().impersonationEnd).toEqual({ from: null, reason: 'ended' })
  })

  test('continues with the session that another tab restored', async () => {
    writeToken('own', 'admin')
    writeToken('admin', null)
    answers.short = { status: 401 }
    await checkSession()
    await expect.poll(place).toEqual(himself)
  })

  test('has to sign in when their own session has expired too', async () => {
    answers = { short: { status: 401 }, admin: { status: 401 } }
    await checkSession()
    await expect
      .poll(session)
      .toEqual({ token: null, name: undefined, state: 'ready', endReason: 'expired' })
    expect(readToken('own')).toBeNull()
  })

  test('signs out of both sessions', async () => {
    logOut()
    expect(place()).toEqual({ token: null, name: undefined, actor: undefined, kept: null })
    await expect.poll(() => signedOut.toSorted()).toEqual(['admin', 'short'])
  })

  test('is themselves after the sign-in page', () => {
    startSession('xyz', bea)
    expect(place()).toEqual({ token: 'xyz', name: 'Bea', actor: undefined, kept: null })
  })
})

test('an older answer does not bring the old balance back', async () => {
  const waiting: (() => void)[] = []
  startSession('abc', ana)
  delayed = () => new Promise<void>(done => waiting.push(done))
  try {
    answer = { status: 200, user: ana }
    const first = refreshUser()
    await expect.poll(() => waiting.length).toBe(1)
    answer = { status: 200, user: { ...ana, balance: 13.5 } }
    const afterPurchase = refreshUser()
    await expect.poll(() => waiting.length).toBe(2)
    waiting[1]!()
    await afterPurchase
    waiting[0]!()
    await first
    expect(useSession.getState().user?.balance).toBe(13.5)
  } finally {
    delayed = () => Promise.resolve()
  }
})
