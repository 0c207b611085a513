import pg from 'pg'
import { expect, test } from 'vitest'
import {
  listDevices,
  listUsers,
  login,
  loginAs,
  logout,
  setUserActivation,
  setUserRole,
  verifySession,
} from '#contract/accounts.ts'
import { FAILED_ROWS_PATH } from '#contract/downloads.ts'
import { inviteUser } from '#contract/email-ownership.ts'
import { statement } from '#contract/ledger.ts'
import { exportOrdersCsv } from '#contract/orders-admin.ts'
import { testApp } from '#tests/support/app.ts'
import { expectWaiting } from '#tests/support/lock-waits.ts'
import { callerFromDownloadCookie } from './download-cookie.ts'
import { downloadCookieValue, SESSION_ENDED_CHANNEL } from './sessions.ts'

const app = await testApp()

const sees = async (token: string) => (await app.call(verifySession, {}, token)).status
/** Backdates a user's sessions. */
const age = (userId: string, column: 'created_at' | 'last_seen_at' | 'expires_at', hours: number) =>
  app.database.pool.query(
    `update login_session set ${column} = ${column} - $2 * interval '1 hour' where user_id = $1`,
    [userId, hours],
  )
const allow = async (userId: string, activation: 'allow' | 'block', token: string) =>
  app.call(setUserActivation, { params: { userId }, body: { activation } }, token)

test('a token is stored as a hash only', async () => {
  const { token } = await app.register()
  expect(token).toMatch(/^sl_[\w-]{43}$/)
  const { rows } = await app.database.pool.query(`select s::text as line from login_session s`)
  expect(rows.filter(({ line }) => line.includes(token.slice(3)))).toEqual([])
})

test('signing out ends one session, and the others of the user continue', async () => {
  const { token, user, password } = await app.register()
  const other = await app.signIn(user.email, password)
  expect((await app.call(logout, {}, token)).status).toBe(200)
  expect([await sees(token), await sees(other)]).toEqual([401, 200])
})

test('what an administrator begins as a user while signing out opens nothing', async () => {
  const [admin, ana] = [await app.admin(), await app.register()]
  const params = { userId: ana.user._id }
  const holder = await app.database.pool.connect()
  await holder.query('begin')
  const {
    rows: [{ pid }],
  } = await holder.query(
    'select pg_backend_pid() as pid from app_user where id = $1 for no key update',
    [admin.user._id],
  )
  const beginning = app.call(loginAs, { params, body: {} }, admin.token)
  await expectWaiting(app.database, pid, 1)
  expect((await app.call(logout, {}, admin.token)).status).toBe(200)
  await holder.query('commit')
  holder.release()
  expect(await sees((await beginning).body.token)).toBe(401)
  const { sessions } = (await app.call(listDevices, { params }, ana.token)).body
  expect(sessions.map(({ support }) => support)).toEqual([false])
})

test('a session ends after a day without use', async () => {
  const { token, user } = await app.register()
  await age(user._id, 'last_seen_at', 23)
  expect(await sees(token)).toBe(200)
  // The use a moment ago counts from now.
  await age(user._id, 'last_seen_at', 23)
  expect(await sees(token)).toBe(200)
  await age(user._id, 'last_seen_at', 25)
  expect(await sees(token)).toBe(401)
})

test('a session ends after fourteen days, an administrator’s after twelve hours', async () => {
  const { token, user } = await app.register()
  await age(user._id, 'expires_at', 13.9 * 24)
  expect(await sees(token)).toBe(200)
  await age(user._id, 'expires_at', 0.2 * 24)
  expect(await sees(token)).toBe(401)
  const admin = await app.admin()
  await age(admin.user._id, 'expires_at', 12)
  expect(await sees(admin.token)).toBe(401)
})

test('a new administrator has no session older than twelve hours', async () => {
  const { token, user } = await app.register()
  const admin = await app.admin()
  await age(user._id, 'created_at', 13)
  expect(await sees(token)).toBe(200)
  await app.call(
    setUserRole,
    { params: { userId: user._id }, body: { user_role: 'admin' } },
    admin.token,
  )
  expect(await sees(token)).toBe(401)
  await app.call(
    setUserRole,
    { params: { userId: user._id }, body: { user_role: 'user' } },
    admin.token,
  )
})

test('the last use is stored at most once a minute', async () => {
  const { token, user } = await app.register()
  const lastSeen = async () =>
    (
      await app.database.pool.query('select last_seen_at from login_session where user_id = $1', [
        user._id,
      ])
    ).rows
  // So that no minute passes before the next use, on a slow machine too.
  await app.database.pool.query(
    `update login_session set last_seen_at = now() + interval '10 minutes' where user_id = $1`,
    [user._id],
  )
  const before = await lastSeen()
  await sees(token)
  expect(await lastSeen()).toEqual(before)
})

test('a blocked user is signed out at once, and the correct password is refused with the reason', async () => {
  const { token, user, password } = await app.register()
  const admin = await app.admin()
  expect((await allow(user._id, 'block', admin.token)).body.user.activation).toBe('block')
  expect(await sees(token)).toBe(401)
  const again = await app.call(login, { body: { email: user.email, password } })
  expect([again.status, again.body.message]).toEqual([
    403,
    'This account is blocked. Please contact support.',
  ])
  const guess = await app.call(login, {
    body: { email: user.email, password: 'not the passphrase' },
  })
  expect(guess.status).toBe(401)
  await allow(user._id, 'allow', admin.token)
  expect(await sees(token)).toBe(401)
  expect(await sees(await app.signIn(user.email, password))).toBe(200)
})

test('blocking and signing out reach every process, so that sockets close', async () => {
  const { token, user } = await app.register()
  const leaving = await app.register()
  const admin = await app.admin()
  const client = new pg.Client(app.database.url)
  await client.connect()
  const told: unknown[] = []
  const both = Promise.withResolvers<void>()
  client.on('notification', ({ payload }) => {
    told.push(JSON.parse(payload!))
    if (JSON.stringify(told).includes('"sessionId"') && told.length > 1) both.resolve()
  })
  await client.query(`listen ${SESSION_ENDED_CHANNEL}`)
  expect(await sees(token)).toBe(200)
  await allow(user._id, 'block', admin.token)
  await app.call(logout, {}, leaving.token)
  await both.promise
  await client.end()
  expect(told).toContainEqual({ userId: Number(user._id) })
})

test('a new role applies from the next request', async () => {
  const { token, user } = await app.register()
  const admin = await app.admin()
  expect((await app.call(listUsers, { query: {} }, token)).status).toBe(403)
  await app.call(
    setUserRole,
    { params: { userId: user._id }, body: { user_role: 'admin' } },
    admin.token,
  )
  expect((await app.call(listUsers, { query: {} }, token)).status).toBe(200)
  await app.call(
    setUserRole,
    { params: { userId: user._id }, body: { user_role: 'friend' } },
    admin.token,
  )
  expect((await app.call(listUsers, { query: {} }, token)).status).toBe(403)
  expect((await app.call(verifySession, {}, token)).body.user.user_role).toBe('friend')
})

test('the last administrator can neither give up the role nor block themselves', async () => {
  const { token, user } = await app.admin()
  const demoted = await app.call(
    setUserRole,
    { params: { userId: user._id }, body: { user_role: 'user' } },
    token,
  )
  const blocked = await allow(user._id, 'block', token)
  expect([demoted.status, blocked.status]).toEqual([409, 409])
  expect(demoted.body.message).toBe(
    'This is the last administrator. Make another user an administrator first.',
  )
  expect(await sees(token)).toBe(200)
})

test('an administrator who has not accepted the invitation yet does not replace the last one', async () => {
  const { token, user } = await app.admin()
  const setRole = (userId: string, user_role: 'user' | 'admin') =>
    app.call(setUserRole, { params: { userId }, body: { user_role } }, token)
  const body = { name: 'Ivy', email: 'ivy@example.com', user_role: 'user' as const }
  const invited = (await app.call(inviteUser, { body }, token)).body.user
  expect((await setRole(invited._id, 'admin')).status).toBe(200)
  expect((await setRole(user._id, 'user')).status).toBe(409)
  expect((await allow(user._id, 'block', token)).status).toBe(409)
  expect((await setRole(invited._id, 'user')).status).toBe(200)
})

test('two administrators who demote each other at the same moment leave one', async () => {
  const first = await app.admin()
  const second = await app.register()
  await app.call(
    setUserRole,
    { params: { userId: second.user._id }, body: { user_role: 'admin' } },
    first.token,
  )
  const take = (from: string, by: string) =>
    app.call(setUserRole, { params: { userId: from }, body: { user_role: 'user' } }, by)
  await Promise.all([take(second.user._id, first.token), take(first.user._id, second.token)])
  const { rows } = await app.database.pool.query(
    `select count(*) as n from app_user where role = 'admin' and activation = 'allow'`,
  )
  expect(rows).toEqual([{ n: 1 }])
  await app.database.pool.query(`update app_user set role = 'admin' where id = $1`, [
    first.user._id,
  ])
  await app.database.pool.query(`update app_user set role = 'user' where id = $1`, [
    second.user._id,
  ])
})

test('an unknown user cannot be changed', async () => {
  const { token } = await app.admin()
  expect((await allow('999999', 'block', token)).status).toBe(404)
  expect(
    (
      await app.call(
        setUserRole,
        { params: { userId: '999999' }, body: { user_role: 'friend' } },
        token,
      )
    ).status,
  ).toBe(404)
})

test('the list of users is paged, newest first, with its total', async () => {
  const older = await app.register()
  const newer = await app.register()
  await app.creditDollars(older.user._id, 3)
  const { token } = await app.admin()
  const { body, headers } = await app.call(listUsers, { query: { limit: 2 } }, token)
  expect(body.map(user => user._id)).toEqual([newer.user._id, older.user._id])
  expect(body[1]).toMatchObject({ balance: 3, totalDeposit: 3 })
  const {
    rows: [{ n }],
  } = await app.database.pool.query('select count(*) as n from app_user')
  expect(headers['x-total-count']).toBe(String(n))
  expect((await app.call(listUsers, { query: { limit: 2, page: n } }, token)).body).toEqual([])
})

test('every action of an administrator is audited with its actor', async () => {
  const { user } = await app.register()
  const admin = await app.admin()
  await app.call(
    setUserRole,
    { params: { userId: user._id }, body: { user_role: 'friend' } },
    admin.token,
  )
  await allow(user._id, 'block', admin.token)
  const { rows } = await app.database.pool.query(
    `select action, detail from audit_entry where subject_id = $1 and actor_id = $2 order by id`,
    [user._id, admin.user._id],
  )
  expect(rows).toEqual([
    { action: 'role', detail: { from: 'user', to: 'friend' } },
    { action: 'block', detail: {} },
  ])
})

test('the download cookie is sent to downloads only, hidden from scripts and the same in every tab', async () => {
  const { token, user, password } = await app.register()
  const cookiesOf = async (request: Parameters<typeof app.send>[0]) =>
    [(await app.send(request)).headers['set-cookie']].flat()
  const cookieOf = async (request: Parameters<typeof app.send>[0]) =>
    (await cookiesOf(request))[0] ?? ''
  const set = await cookieOf({ method: 'GET', url: '/api/auth/verify', headers: { token } })
  expect(set).toMatch(/^evenpost-dl-[0-9a-f]{12}=[\w-]{43};/)
  for (const part of ['Path=/api/orders/download', 'HttpOnly', 'SameSite=Lax'])
    expect(set).toContain(part)
  const all = await cookiesOf({ method: 'GET', url: '/api/auth/verify', headers: { token } })
  const paths = [
    '/api/orders/download',
    '/api/orders/file',
    '/api/orders/export',
    '/api/orders/bulk/packing-slips',
    '/api/orders/bulk/pick-list',
    FAILED_ROWS_PATH,
    '/api/wallet',
    exportOrdersCsv.path,
    logout.path,
  ]
  expect(all).toEqual(paths.map(path => set.replace('/api/orders/download', path)))
  expect(set).not.toContain('Secure')
  expect(set).not.toContain(token.slice(3))
  expect(await cookieOf({ method: 'GET', url: '/api/auth/verify', headers: { token } })).toBe(set)
  const signedIn = await app.send({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email: user.email, password },
  })
  const otherTab = [signedIn.headers['set-cookie']].flat()[0] ?? ''
  expect(otherTab.split('=')[1]).not.toBe(set.split('=')[1])
})

test('the download cookie authorizes downloads of its user only', async () => {
  const { token, user } = await app.register()
  const {
    rows: [{ value: instance }],
  } = await app.database.pool.query(`select value from app_setting where key = 'instance'`)
  const name = `evenpost-dl-${instance}`
  const who = (cookies: Record<string, string>) =>
    callerFromDownloadCookie({ ...app.ctx, instance: () => instance }, { cookies } as never)
  expect(await who({ [name]: downloadCookieValue(token) })).toMatchObject({
    userId: Number(user._id),
    role: 'user',
  })
  expect(await who({ [name]: token })).toBeNull()
  expect(await who({ 'evenpost-dl-another': downloadCookieValue(token) })).toBeNull()
  const asToken = await app.call(
    statement,
    { params: { userId: user._id }, query: {} },
    downloadCookieValue(token),
  )
  const asCookie = await app.send({
    method: 'GET',
    url: '/api/auth/verify',
    cookies: { [name]: downloadCookieValue(token) },
  })
  expect([asToken.status, asCookie.statusCode]).toEqual([401, 401])
  await app.call(logout, {}, token)
  expect(await who({ [name]: downloadCookieValue(token) })).toBeNull()
})

test('a browser that opens a download after the session has ended gets a page, a program JSON', async () => {
  const { user } = await app.register()
  const open = (accept: string) =>
    app.send({
      method: 'GET',
      url: `/api/wallet/${user._id}/statement.csv`,
      headers: { accept },
    })
  const page = await open('text/html,application/xhtml+xml,*/*;q=0.8')
  expect([page.statusCode, page.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8'])
  expect(page.body).toContain('<h1>Your session has ended</h1>')
  expect((await open('*/*')).json()).toMatchObject({ code: 'sign_in_required' })
})

test('signing out clears the download cookie, but not that of a newer session', async () => {
  const first = await app.register()
  const { user, password } = await app.register()
  const signedIn = await app.send({
    method: 'POST',
    url: login.path,
    payload: { email: user.email, password },
  })
  // A browser sends only the cookies of that path.
  const reaching = signedIn.cookies.filter(({ path }) => logout.path.startsWith(path!))
  const sent = Object.fromEntries(reaching.map(({ name, value }) => [name, value]))
  const leave = async (token: string) =>
    (
      await app.send({ method: 'POST', url: logout.path, headers: { token }, cookies: sent })
    ).cookies.map(({ maxAge }) => maxAge)
  expect(await leave(first.token)).toEqual([])
  expect(new Set(await leave(signedIn.json().token))).toEqual(new Set([0]))
})
