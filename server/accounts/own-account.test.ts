import pg from 'pg'
import { expect, test } from 'vitest'
import {
  endSessions,
  forgotPassword,
  listDevices,
  login,
  loginAs,
  resetPassword,
  saveAccount,
  setUserRole,
  verifySession,
} from '#contract/accounts.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { resetTokenIn, mailsTo } from '#tests/support/mail-outbox.ts'
import { SESSION_ENDED_CHANNEL } from './sessions.ts'

const app = await testApp()

const NEW = 'a brand new passphrase'
type Change = { name: string; password?: string; currentPassword?: string }
const save = ({ token, user }: TestUser, body: Change) =>
  app.call(saveAccount, { params: { userId: user._id }, body }, token)
const devices = async (userId: string, token: string) =>
  (await app.call(listDevices, { params: { userId } }, token)).body.sessions
const end = (userId: string, token: string, sessionId?: string) =>
  app.call(endSessions, { params: { userId }, body: { sessionId } }, token)
const sees = async (token: string) => (await app.call(verifySession, {}, token)).status
const mails = (email: string) => mailsTo(app.ctx.config.dataDir, email)
const audited = async (userId: string) =>
  (
    await app.database.db
      .selectFrom('audit_entry')
      .select('action')
      .where('subject_id', '=', Number(userId))
      .orderBy('id')
      .execute()
  ).map(entry => entry.action)

/** Signs in from a device that has this user agent. */
async function signInFrom(visitor: TestUser, userAgent: string): Promise<string> {
  const payload = { email: visitor.user.email, password: visitor.password }
  return (
    await app.send({
      method: 'POST',
      url: '/api/auth/login',
      payload,
      headers: { 'user-agent': userAgent },
    })
  ).json().token
}

/** An administrator's session as another user. */
const signedInAs = async (visitor: TestUser): Promise<string> =>
  (
    await app.call(
      loginAs,
      { params: { userId: visitor.user._id }, body: {} },
      (await app.admin()).token,
    )
  ).body.token

test('impersonation ends when the customer becomes an administrator', async () => {
  const ana = await app.register('Ana')
  const acting = await signedInAs(ana)
  expect((await app.call(verifySession, {}, acting)).status).toBe(200)
  await app.call(
    setUserRole,
    { params: { userId: ana.user._id }, body: { user_role: 'admin' } },
    (await app.admin()).token,
  )
  expect((await app.call(verifySession, {}, acting)).status).toBe(401)
  expect((await app.call(verifySession, {}, ana.token)).body.user.user_role).toBe('admin')
})

test('a customer changes the name; an empty password keeps the password and all sessions', async () => {
  const ana = await app.register('Ana')
  const other = await app.signIn(ana.user.email, ana.password)
  const { status, body } = await save(ana, {
    name: ' Ana Maria ',
    password: '',
    currentPassword: 'filled in by a browser',
  })
  expect([status, body.message, body.user.name]).toEqual([
    200,
    'Account updated successfully!',
    'Ana Maria',
  ])
  expect((await app.call(verifySession, {}, other)).body.user.name).toBe('Ana Maria')
  expect(
    (await app.call(login, { body: { email: ana.user.email, password: ana.password } })).status,
  ).toBe(200)
  expect(await audited(ana.user._id)).toEqual(['register', 'login', 'name', 'login'])
})

test('a name is required and may stay the same', async () => {
  const ana = await app.register('Ana')
  const { status, body } = await save(ana, { name: '  ' })
  expect([status, body.errors]).toEqual([422, { name: 'Name is required' }])
  expect((await save(ana, { name: 'Ana' })).status).toBe(200)
  expect(await audited(ana.user._id)).toEqual(['register'])
})

test('email, role and balance cannot be changed this way', async () => {
  const { token, user } = await app.register('Ana')
  const payload = {
    name: 'Ana',
    email: 'other@example.com',
    user_role: 'admin',
    balance: 100,
    activation: 'block',
    referralCode: 'MINE',
  }
  const answer = await app.send({
    method: 'PUT',
    url: `/api/auth/account/${user._id}`,
    headers: { token },
    payload,
  })
  expect([answer.statusCode, answer.json().user]).toEqual([200, user])
})

test('a new password requires the current one, with the error at its field', async () => {
  const ana = await app.register('Ana')
  expect((await save(ana, { name: 'Bea', password: NEW })).body.errors).toEqual({
    currentPassword: 'Current Password is required',
  })
  const { status, body } = await save(ana, {
    name: 'Bea',
    password: NEW,
    currentPassword: 'not the passphrase',
  })
  expect([status, body.errors]).toEqual([
    422,
    { currentPassword: 'This is not your current password' },
  ])
  expect((await save(ana, { name: '', password: 'short' })).body.errors).toEqual({
    name: 'Name is required',
    password: 'Password must be at least 8 characters',
    currentPassword: 'Current Password is required',
  })
  expect((await app.call(verifySession, {}, ana.token)).body.user.name).toBe('Ana')
})

test('a new password ends the other sessions, invalidates reset links and is confirmed by email', async () => {
  const ana = await app.register('Ana')
  const other = await app.signIn(ana.user.email, ana.password)
  await app.call(forgotPassword, { body: { email: ana.user.email } })
  await expect.poll(async () => (await mails(ana.user.email)).length).toBe(1)
  const token = resetTokenIn((await mails(ana.user.email))[0]!)
  expect(
    (await save(ana, { name: 'Ana', password: NEW, currentPassword: ana.password })).status,
  ).toBe(200)
  expect([await sees(ana.token), await sees(other)]).toEqual([200, 401])
  const signIns = [ana.password, NEW].map(
    async password => (await app.call(login, { body: { email: ana.user.email, password } })).status,
  )
  expect(await Promise.all(signIns)).toEqual([401, 200])
  expect(
    (await app.call(resetPassword, { body: { token, password: 'a third passphrase' } })).status,
  ).toBe(422)
  await expect
    .poll(async () => (await mails(ana.user.email)).at(-1)?.subject)
    .toBe('Your Evenpost password was changed')
  expect((await audited(ana.user._id)).filter(action => action === 'password')).toHaveLength(1)
})

test('guessing the current password in a session is throttled after ten attempts', async () => {
  const ana = await app.register('Ana')
  const guess = (n: number) =>
    save(ana, { name: 'Ana', password: NEW, currentPassword: `guess number ${n}` })
  for (let n = 0; n < 10; n++) expect((await guess(n)).status).toBe(422)
  expect((await guess(10)).status).toBe(429)
})

test('of two simultaneous password changes one succeeds', async () => {
  const ana = await app.register('Ana')
  const change = (n: number) =>
    save(ana, { name: 'Ana', password: `${NEW} ${n}`, currentPassword: ana.password })
  const answers = await Promise.all([change(1), change(2)])
  expect(answers.map(answer => answer.status).sort()).toEqual([200, 422])
})

test('signed-in devices are listed, the current one first', async () => {
  const ana = await app.register('Ana')
  const phone = await signInFrom(
    ana,
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1',
  )
  await signInFrom(
    ana,
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0',
  )
  const seen = await devices(ana.user._id, phone)
  expect(seen.map(({ device, current, support }) => ({ device, current, support }))).toEqual([
    { device: 'Safari on iPhone', current: true, support: false },
    { device: 'Firefox on Windows', current: false, support: false },
    { device: 'lightMyRequest', current: false, support: false },
  ])
  expect(Object.keys(seen[0]!).toSorted()).toEqual([
    '_id',
    'createdAt',
    'current',
    'device',
    'lastSeenAt',
    'support',
  ])
})

test('an ended session is no longer listed as a device', async () => {
  const ana = await app.register('Ana')
  const other = await app.signIn(ana.user.email, ana.password)
  await app.database.pool.query(
    `update login_session set last_seen_at = now() - interval '25 hours' where id = (select max(id) from login_session where user_id = $1)`,
    [ana.user._id],
  )
  expect(await sees(other)).toBe(401)
  expect(await devices(ana.user._id, ana.token)).toHaveLength(1)
})

test('the customer sees an administrator who is signed in as them', async () => {
  const ana = await app.register('Ana')
  await signedInAs(ana)
  expect((await devices(ana.user._id, ana.token)).map(device => device.support)).toEqual([
    false,
    true,
  ])
})

test('one device can be signed out; a second click reports that it has ended', async () => {
  const ana = await app.register('Ana')
  const other = await app.signIn(ana.user.email, ana.password)
  const [, lost] = await devices(ana.user._id, ana.token)
  const first = await end(ana.user._id, ana.token, lost!._id)
  expect([first.status, first.body]).toEqual([
    200,
    { ok: true, message: '1 device signed out', ended: 1 },
  ])
  expect((await end(ana.user._id, ana.token, lost!._id)).status).toBe(404)
  expect([await sees(ana.token), await sees(other)]).toEqual([200, 401])
})

test('signing out everywhere keeps this device and closes the sockets of the others', async () => {
  const ana = await app.register('Ana')
  const others = [
    await app.signIn(ana.user.email, ana.password),
    await app.signIn(ana.user.email, ana.password),
  ]
  const ids = (await devices(ana.user._id, ana.token))
    .filter(device => !device.current)
    .map(device => Number(device._id))
  const client = new pg.Client(app.database.url)
  await client.connect()
  const told: unknown[] = []
  client.on('notification', ({ payload }) => told.push(JSON.parse(payload!)))
  await client.query(`listen ${SESSION_ENDED_CHANNEL}`)
  const { body } = await end(ana.user._id, ana.token)
  expect(body).toEqual({ ok: true, message: '2 devices signed out', ended: 2 })
  expect(await Promise.all([ana.token, ...others].map(sees))).toEqual([200, 401, 401])
  await expect
    .poll(() => told)
    .toEqual(expect.arrayContaining(ids.map(sessionId => ({ sessionId }))))
  await client.end()
  expect((await end(ana.user._id, ana.token)).body).toMatchObject({
    message: 'No other device was signed in',
    ended: 0,
  })
})

test('users cannot see or end the devices of another user', async () => {
  const ana = await app.register('Ana')
  const bea = await app.register('Bea')
  const [hers] = await devices(ana.user._id, ana.token)
  expect((await end(bea.user._id, bea.token, hers!._id)).status).toBe(404)
  expect((await end(ana.user._id, bea.token)).status).toBe(403)
  expect(
    (await app.call(listDevices, { params: { userId: ana.user._id } }, bea.token)).status,
  ).toBe(403)
  expect(await sees(ana.token)).toBe(200)
})

test('an administrator can end the sessions of a customer', async () => {
  const ana = await app.register('Ana')
  const admin = await app.admin()
  expect((await end(ana.user._id, admin.token)).body.ended).toBe(1)
  expect([await sees(ana.token), await sees(admin.token)]).toEqual([401, 200])
})

test('an administrator signed in as a customer cannot change the password', async () => {
  const ana = await app.register('Ana')
  const token = await signedInAs(ana)
  const { status, body } = await save(
    { ...ana, token },
    { name: 'Ana', password: NEW, currentPassword: ana.password },
  )
  expect([status, body.message]).toEqual([
    403,
    'A password cannot be changed while signed in as another user',
  ])
  expect(
    (await app.call(login, { body: { email: ana.user.email, password: ana.password } })).status,
  ).toBe(200)
})
