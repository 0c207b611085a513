/** Sign-ins: lines 16 to 23 of docs/security.md. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  deleteUser,
  endSessions,
  listDevices,
  loginAs,
  logout,
  saveAccount,
  setUserActivation,
  setUserRole,
  verifySession,
} from '#contract/accounts.ts'
import { listAuditEntries } from '#contract/audit.ts'
import { PASSWORD, testApp } from '#tests/support/app.ts'
import { endOf, openLiveSocket } from '#tests/support/live-socket.ts'
import { projectFiles, readProjectFile } from '#tests/support/source.ts'

const app = await testApp()
const admin = await app.admin()
const address = await app.listen()

const verifyStatus = async (token: string) => (await app.call(verifySession, {}, token)).status
const backdateSession = (
  userId: string,
  column: 'created_at' | 'last_seen_at' | 'expires_at',
  hours: number,
) =>
  app.database.pool.query(
    `update login_session set ${column} = ${column} - $2 * interval '1 hour' where user_id = $1`,
    [userId, hours],
  )

test('16 a token has 32 random bytes, no two are alike, and only its hash is stored', async () => {
  const { user, token: first } = await app.register()
  const tokens = [
    first,
    ...(await Promise.all(Array.from({ length: 9 }, () => app.signIn(user.email, PASSWORD)))),
  ]
  expect(new Set(tokens).size).toBe(10)
  const { rows } = await app.database.pool.query<{ kept: Buffer; line: string }>(
    'select token_hash as kept, s::text as line from login_session s where user_id = $1',
    [user._id],
  )
  const kept = new Set(rows.map(row => row.kept.toString('hex')))
  for (const token of tokens) {
    expect(Buffer.from(token.replace(/^sl_/, ''), 'base64url')).toHaveLength(32)
    expect(kept).toContain(createHash('sha256').update(token).digest('hex'))
    expect(rows.filter(row => row.line.includes(token.slice(3)))).toEqual([])
  }
})

test('17 signing out ends the session on the server', async () => {
  const { token, user } = await app.register()
  const other = await app.signIn(user.email, PASSWORD)
  await app.call(logout, {}, token)
  expect([await verifyStatus(token), await verifyStatus(other)]).toEqual([401, 200])
})

test('18 a session ends after a day without use, after fourteen days in any case, an administrator’s after twelve hours', async () => {
  const [idle, old] = [await app.register(), await app.register()]
  const operator = await app.admin()
  await backdateSession(idle.user._id, 'last_seen_at', 25)
  await backdateSession(old.user._id, 'expires_at', 13.9 * 24)
  expect([await verifyStatus(idle.token), await verifyStatus(old.token)]).toEqual([401, 200])
  await backdateSession(old.user._id, 'expires_at', 0.2 * 24)
  const {
    rows: [{ hours }],
  } = await app.database.pool.query(
    `select extract(epoch from max(expires_at) - now()) / 3600 as hours from login_session where user_id = $1`,
    [operator.user._id],
  )
  expect(await verifyStatus(old.token)).toBe(401)
  expect(Math.round(Number(hours))).toBe(12)
})

test('19 blocking and deleting a user end sessions and sockets at once', async () => {
  const [blocked, deleted] = [await app.register(), await app.register()]
  const [first, second] = [
    await openLiveSocket(address, blocked.token),
    await openLiveSocket(address, deleted.token),
  ]
  const ended = [endOf(first), endOf(second)]
  await app.call(
    setUserActivation,
    { params: { userId: blocked.user._id }, body: { activation: 'block' } },
    admin.token,
  )
  expect(await verifyStatus(blocked.token)).toBe(401)
  await app.call(deleteUser, { params: { userId: deleted.user._id } }, admin.token)
  expect(await verifyStatus(deleted.token)).toBe(401)
  await Promise.all(ended)
})

test('20 each sign-in has a new token; one that a visitor sends is never adopted', async () => {
  const { user } = await app.register()
  const brought = `sl_${'A'.repeat(43)}`
  const payload = { email: user.email, password: PASSWORD }
  const given = async () =>
    (
      await app.send({
        method: 'POST',
        url: '/api/auth/login',
        payload,
        headers: { token: brought },
      })
    ).json().token
  const [one, two] = [await given(), await given()]
  expect(new Set([brought, one, two]).size).toBe(3)
  expect(await verifyStatus(brought)).toBe(401)
})

test('21 an administrator can end any user’s sessions', async () => {
  const { token, user } = await app.register()
  const other = await app.signIn(user.email, PASSWORD)
  await app.call(endSessions, { params: { userId: user._id }, body: {} }, admin.token)
  expect([await verifyStatus(token), await verifyStatus(other)]).toEqual([401, 401])
})

test('21 an administrator who signs out a lost device ends what was done from it as other users', async () => {
  const lost = await app.admin()
  const safe = await app.admin()
  const ana = await app.register('Ana')
  const signInAsAna = async (token: string) =>
    (await app.call(loginAs, { params: { userId: ana.user._id }, body: {} }, token)).body.token
  const [acting, other] = [await signInAsAna(lost.token), await signInAsAna(safe.token)]
  const ended = endOf(await openLiveSocket(address, acting))
  const params = { userId: safe.user._id }
  const { body } = await app.call(listDevices, { params }, lost.token)
  const sessionId = body.sessions.find(({ current }) => current)!._id
  const { status } = await app.call(endSessions, { params, body: { sessionId } }, safe.token)
  expect(status).toBe(200)
  expect(await Promise.all([lost.token, acting, other].map(verifyStatus))).toEqual([401, 401, 200])
  await ended
})

test('22 a log-in-as-user is recorded under both names, is visible to the user, and has no administrator’s rights', async () => {
  const { user, token } = await app.register('Ana')
  const begun = await app.call(
    loginAs,
    { params: { userId: user._id }, body: { reason: 'asked by phone' } },
    admin.token,
  )
  const as = begun.body.token
  expect((Date.parse(begun.body.expiresAt) - Date.now()) / 3_600_000).toBeLessThanOrEqual(1.01)
  expect((await app.call(verifySession, {}, as)).body.actor?._id).toBe(admin.user._id)
  expect(
    (await app.call(listDevices, { params: { userId: user._id } }, token)).body.sessions.map(
      one => one.support,
    ),
  ).toContain(true)
  const change = {
    params: { userId: user._id },
    body: { name: 'Ana', password: 'another passphrase', currentPassword: PASSWORD },
  }
  const closed = await Promise.all([
    app.call(setUserRole, { params: { userId: user._id }, body: { user_role: 'admin' } }, as),
    app.call(saveAccount, change, as),
    app.call(loginAs, { params: { userId: user._id }, body: {} }, as),
  ])
  expect(closed.map(({ status }) => status)).toEqual([403, 403, 403])
  await app.call(saveAccount, { ...change, body: { name: 'Anna' } }, as)
  const {
    body: { entries },
  } = await app.call(listAuditEntries, { query: { userId: user._id } }, admin.token)
  const written = entries
    .filter(({ actor }) => actor?._id === admin.user._id)
    .map(({ action }) => action)
  expect(written).toEqual(expect.arrayContaining(['login-as', 'acted-as', 'name', 'forbidden']))
})

test('23 a token is read from its header alone, is in no address, and no refusal repeats it', async () => {
  const { token, user } = await app.register()
  for (const url of [
    `/api/auth/verify?token=${token}`,
    `/api/auth/verify?auth=${token}`,
    `/api/orders/${user._id}?token=${token}`,
  ]) {
    const answer = await app.send({ url })
    expect([answer.statusCode, answer.body.includes(token)]).toEqual([401, false])
  }
  for (const headers of [{ authorization: `Bearer ${token}` }, { cookie: `token=${token}` }]) {
    expect((await app.send({ url: '/api/auth/verify', headers })).statusCode).toBe(401)
  }
  const wrong = await app.send({
    method: 'POST',
    url: '/api/orders/v2',
    headers: { token },
    payload: { user_id: 'x' },
  })
  expect([wrong.statusCode, wrong.body.includes(token)]).toEqual([400, false])
  // No call has a token in its address, and no page writes one there.
  expect(
    app.router.calls.filter(({ path }) => /token/i.test(path)).map(({ path }) => path),
  ).toEqual([])
  expect(
    projectFiles('web/**/*.{ts,tsx}').filter(path => /[?&]token=\$\{/.test(readProjectFile(path))),
  ).toEqual([])
})
