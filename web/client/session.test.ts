import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verify } from '#contract/accounts.ts'
import type { User } from '#contract/accounts.ts'
import { connect, send } from './send.ts'
import { checkSession, leaveEndedSession, logOut, startSession, useSession, whenSessionEnds } from './session.ts'

const ana: User = {
  _id: '7', name: 'Ana', email: 'ana@example.com', user_role: 'user', balance: 20, referralCode: 'ANA', totalDeposit: 20, totalSpent: 0,
  activation: 'allow', avatar: null,
}
const bea: User = { ...ana, _id: '8', name: 'Bea' }

/** Answers /verify by what is wanted and remembers who signed out. */
let answer: { status: number; user?: User } = { status: 200, user: ana }
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
  response.writeHead(answer.status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ user: answer.user, message: 'Please sign in' }))
})

let resets = 0
whenSessionEnds(() => {
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
  connect({ origin: base })
  answer = { status: 200, user: ana }
  signedOut = []
  tokens = []
  useSession.setState({ token: null, user: null, state: 'ready', departure: null })
  startSession('abc', ana)
  resets = 0
})

const session = () => {
  const { token, user, state, departure } = useSession.getState()
  return { token, name: user?.name, state, departure }
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
  expect(session()).toEqual({ token: null, name: undefined, state: 'ready', departure: null })
})

/** A call finds out that the token has died. Resolves when the session has ended; the call goes on waiting. */
async function whileEnded(): Promise<{ call: Promise<{ user: User }> }> {
  answer = { status: 401 }
  const call = send(verify, {})
  await expect.poll(() => session().state).toBe('ended')
  answer = { status: 200, user: ana }
  return { call }
}

test('a token that dies while one works ends the session, and leaves its user where he stands', async () => {
  const { call } = await whileEnded()
  expect(session()).toEqual({ token: null, name: 'Ana', state: 'ended', departure: null })
  expect(resets).toBe(0)
  leaveEndedSession()
  await expect(call).rejects.toMatchObject({ status: 401 })
})

test('who signs in again goes on, and so does what was being sent', async () => {
  const { call } = await whileEnded()
  const begunMeanwhile = send(verify, {})
  startSession('def', ana)
  expect((await Promise.all([call, begunMeanwhile])).map(({ user }) => user.name)).toEqual(['Ana', 'Ana'])
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
  leaveEndedSession()
  await expect(call).rejects.toMatchObject({ status: 401 })
  expect(session()).toEqual({ token: null, name: undefined, state: 'ready', departure: 'expired' })
  expect(resets).toBe(1)
})

test('a call that nobody waits for any more does not wait for the next sign-in', async () => {
  await whileEnded().then(({ call }) => void call.catch(() => {}))
  const leaving = new AbortController()
  const call = send(verify, {}, { signal: leaving.signal })
  leaving.abort()
  await expect(call).rejects.toThrow(/abort/)
  leaveEndedSession()
})

test('a server out of reach signs nobody out', async () => {
  connect({ origin: 'http://127.0.0.1:1' })
  await checkSession()
  expect(session()).toEqual({ token: 'abc', name: 'Ana', state: 'ready', departure: null })
})

test('a server out of reach at the start waits with the token', async () => {
  useSession.setState({ user: null, state: 'checking' })
  answer = { status: 503 }
  await checkSession()
  expect(session()).toEqual({ token: 'abc', name: undefined, state: 'away', departure: null })
})

test('logging out forgets at once, resets, and tells the server which sign-in it was', async () => {
  const told = new Promise<void>(done => {
    onLogout = done
  })
  logOut()
  expect(session()).toEqual({ token: null, name: undefined, state: 'ready', departure: 'logout' })
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
