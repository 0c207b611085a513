import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { logout, verifySession } from '#contract/accounts.ts'
import type { UserSummary, User } from '#contract/accounts.ts'
import { configureSend, send } from './send.ts'
import {
  enterImpersonation,
  clearImpersonationEnd,
  checkSession,
  discardExpiredSession,
  logOut,
  leaveImpersonation,
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
/** Answers /verify by the token, or by what is wanted, and remembers who signed out. */
let answer: Answer = { status: 200, user: ana }
let answers: Record<string, Answer> = {}
let signedOut: (string | undefined)[] = []
/** The tokens of all calls. */
let tokens: unknown[] = []
let onLogout = () => {}

const server = createServer((request, response) => {
  tokens.push(request.headers.token)
  if (request.url === '/api/auth/logout') {
    signedOut.push(request.headers.token as string | undefined)
    onLogout()
  }
  const { status, user, actor = null } = answers[String(request.headers.token)] ?? answer
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ user, actor, message: 'Please sign in' }))
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

test('asking again brings the new balance', async () => {
  answer = { status: 200, user: { ...ana, balance: 12.5 } }
  await checkSession()
  expect(useSession.getState().user?.balance).toBe(12.5)
})

test('a remembered token that the server refuses is forgotten, without a word of a session that ended', async () => {
  useSession.setState({ user: null, state: 'checking' })
  answer = { status: 401 }
  await checkSession()
  expect(session()).toEqual({ token: null, name: undefined, state: 'ready', endReason: null })
})

/** A call finds out that the token has died. Resolves when the session has ended; the call goes on waiting. */
async function whileEnded(): Promise<{ call: Promise<{ user: User }> }> {
  answer = { status: 401 }
  const call = send(verifySession, {})
  await expect.poll(() => session().state).toBe('ended')
  answer = { status: 200, user: ana }
  return { call }
}

test('a token that dies while one works ends the session, and leaves its user where he stands', async () => {
  const { call } = await whileEnded()
  expect(session()).toEqual({ token: null, name: 'Ana', state: 'ended', endReason: null })
  expect(resets).toBe(0)
  discardExpiredSession()
  await expect(call).rejects.toMatchObject({ status: 401 })
})

test('who signs in again goes on, and so does what was being sent', async () => {
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

test('nothing of the first is sent for another who signs in', async () => {
  const { call } = await whileEnded()
  startSession('ghi', bea)
  await expect(call).rejects.toMatchObject({ status: 401 })
  expect(tokens).not.toContain('ghi')
  expect(resets).toBe(1)
})

test('who leaves a session that has ended takes along what belonged to it', async () => {
  const { call } = await whileEnded()
  discardExpiredSession()
  await expect(call).rejects.toMatchObject({ status: 401 })
  expect(session()).toEqual({ token: null, name: undefined, state: 'ready', endReason: 'expired' })
  expect(resets).toBe(1)
})

test('a call that nobody waits for any more does not wait for the next sign-in', async () => {
  await whileEnded().then(({ call }) => void call.catch(() => {}))
  const leaving = new AbortController()
  const call = send(verifySession, {}, { signal: leaving.signal })
  leaving.abort()
  await expect(call).rejects.toThrow(/abort/)
  discardExpiredSession()
})

test('a server out of reach signs nobody out', async () => {
  configureSend({ origin: 'http://127.0.0.1:1' })
  await checkSession()
  expect(session()).toEqual({ token: 'abc', name: 'Ana', state: 'ready', endReason: null })
})

test('a server out of reach at the start waits with the token', async () => {
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

test('logging out forgets at once, resets, and tells the server which sign-in it was', async () => {
  const told = new Promise<void>(done => {
    onLogout = done
  })
  logOut()
  expect(session()).toEqual({ token: null, name: undefined, state: 'ready', endReason: 'logout' })
  expect(resets).toBe(1)
  await told
  expect(signedOut).toEqual(['abc'])
})

test('signing in as somebody else takes along what belonged to the first', () => {
  startSession('def', bea)
  expect(session()).toMatchObject({ token: 'def', name: 'Bea' })
  expect(resets).toBe(1)
})

test('a new token for the same user resets nothing', () => {
  startSession('def', ana)
  expect(resets).toBe(0)
})

test('an answer for an earlier token does not touch the new sign-in', async () => {
  answer = { status: 401 }
  const late = checkSession()
  startSession('def', bea)
  await late
  expect(session()).toMatchObject({ token: 'def', name: 'Bea' })
})

test('another tab finds the token of the sign-in in use', () => {
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

  test('sees what is hers and nothing of his own, which is kept beside', () => {
    expect(place()).toEqual(asAna)
    startSession('admin', root)
    enterImpersonation({ token: 'short', user: ana, actor: rootPerson })
    expect(resets).toBe(2)
  })

  test('is reminded of it after a reload too', async () => {
    useSession.setState({ user: null, impersonator: null, state: 'checking' })
    await checkSession()
    expect(place()).toEqual(asAna)
  })

  test('is still there when something of hers has changed', async () => {
    answers.short = { status: 200, user: { ...ana, balance: 12.5 }, actor: rootPerson }
    await checkSession()
    expect(place()).toEqual(asAna)
    startSession('short', { ...ana, balance: 11 })
    expect(place()).toEqual(asAna)
  })

  test('comes back by his own wish: the server ends the one and knows the other', async () => {
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

  test('comes back when it ends by itself, and nothing begun as her is sent as him', async () => {
    answers.short = { status: 401 }
    await expect(send(logout, {})).rejects.toMatchObject({ status: 401 })
    await expect.poll(place).toEqual(himself)
    expect(useSession.getState().impersonationEnd).toEqual({ from: 'Ana', reason: 'ended' })
    expect(signedOut).toEqual(['short'])
    expect(session().state).toBe('ready')
  })

  test('comes back also when it has ended while the browser was closed', async () => {
    useSession.setState({ user: null, impersonator: null, state: 'checking' })
    answers.short = { status: 401 }
    await checkSession()
    await expect.poll(place).toEqual(himself)
    expect(useSession.getState().impersonationEnd).toEqual({ from: null, reason: 'ended' })
  })

  test('finds back to what another tab has put in its place', async () => {
    writeToken('own', 'admin')
    writeToken('admin', null)
    answers.short = { status: 401 }
    await checkSession()
    await expect.poll(place).toEqual(himself)
  })

  test('has to sign in when his own sign-in has ended as well', async () => {
    answers = { short: { status: 401 }, admin: { status: 401 } }
    await checkSession()
    await expect
      .poll(session)
      .toEqual({ token: null, name: undefined, state: 'ready', endReason: 'expired' })
    expect(readToken('own')).toBeNull()
  })

  test('logs out of both', async () => {
    logOut()
    expect(place()).toEqual({ token: null, name: undefined, actor: undefined, kept: null })
    await expect.poll(() => signedOut.toSorted()).toEqual(['admin', 'short'])
  })

  test('who then signs in by the sign-in page is nobody but himself', () => {
    startSession('xyz', bea)
    expect(place()).toEqual({ token: 'xyz', name: 'Bea', actor: undefined, kept: null })
  })
})
