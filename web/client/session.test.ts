import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { User } from '#contract/accounts.ts'
import { connect } from './send.ts'
import { checkSession, logOut, startSession, useSession, whenSessionEnds } from './session.ts'

const ana: User = {
  _id: '7', name: 'Ana', email: 'ana@example.com', user_role: 'user', balance: 20, referralCode: 'ANA', totalDeposit: 20, totalSpent: 0,
  activation: 'allow', avatar: null,
}
const bea: User = { ...ana, _id: '8', name: 'Bea' }

/** Answers /verify by what is wanted and remembers who signed out. */
let answer: { status: number; user?: User } = { status: 200, user: ana }
let signedOut: (string | undefined)[] = []
let onLogout = () => {}

const server = createServer((request, response) => {
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

test('a token that dies while one works says that the session has ended, and takes along what belonged to it', async () => {
  answer = { status: 401 }
  await checkSession()
  expect(session()).toEqual({ token: null, name: undefined, state: 'ready', departure: 'expired' })
  expect(resets).toBe(1)
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
