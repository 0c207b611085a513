import { expect, test } from 'vitest'
import {
  deleteUser,
  endSessions,
  listDevices,
  listUsers,
  loginAs,
  logout,
  saveAccount,
  setUserActivation,
  setUserRole,
  verifySession,
} from '#contract/accounts.ts'
import { saveAddress } from '#contract/addresses.ts'
import { initBatch } from '#contract/batches.ts'
import {
  easypostCreateWebhook,
  easypostDeleteWebhook,
  easypostPutWebhook,
  easypostUpdateWebhook,
} from '#contract/easypost-webhooks.ts'
import { statement } from '#contract/ledger.ts'
import { placeOrder, quotePrice } from '#contract/orders.ts'
import { topUp } from '#contract/payments.ts'
import { applyReferral } from '#contract/referrals.ts'
import { createWebhook, listWebhooks, updateWebhook } from '#contract/webhooks.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { singleOrderBody } from '#tests/support/rows.ts'

const app = await testApp()
const admin = await app.admin()
const signInAs = (of: TestUser, token = admin.token, reason?: string) =>
  app.call(loginAs, { params: { userId: of.user._id }, body: { reason } }, token)
const acting = async (of: TestUser, token = admin.token) => (await signInAs(of, token)).body.token
const sees = async (token: string) => (await app.call(verifySession, {}, token)).status
const setRoleOf = (of: TestUser, role: 'user' | 'admin') =>
  app.call(setUserRole, { params: { userId: of.user._id }, body: { user_role: role } }, admin.token)
const allow = (of: TestUser, activation: 'allow' | 'block') =>
  app.call(
    setUserActivation,
    { params: { userId: of.user._id }, body: { activation } },
    admin.token,
  )
/** The calls during impersonation that were refused, with who made them. */
const refused = async (of: TestUser) =>
  (await written(of)).flatMap(({ action, actor, detail }) =>
    action === 'forbidden' ? [[actor, detail.call]] : [],
  )
/** Audit entries of actions during impersonation. */
const written = async (of: TestUser) =>
  (
    await app.database.pool.query(
      `select action, detail - 'network' - 'device' as detail, actor_id::text as actor from audit_entry
     where subject_id = $1 and actor_id is distinct from subject_id order by id`,
      [of.user._id],
    )
  ).rows

async function administrator(): Promise<TestUser> {
  const visitor = await app.register('Second administrator')
  await setRoleOf(visitor, 'admin')
  return visitor
}

test('an administrator signs in as a customer for an hour, visible to both', async () => {
  const ana = await app.register('Ana')
  const { status, body, headers } = await signInAs(ana, admin.token, ' asked for help ')
  expect(status).toBe(200)
  const behind = { _id: admin.user._id, name: admin.user.name, email: admin.user.email }
  expect([body.user, body.actor]).toEqual([ana.user, behind])
  expect(String(headers['set-cookie'])).toMatch(/^evenpost-dl-/)
  const minutes = (Date.parse(body.expiresAt) - Date.now()) / 60_000
  expect(minutes).toBeGreaterThan(55)
  expect(minutes).toBeLessThan(65)
  expect((await app.call(verifySession, {}, body.token)).body).toEqual({
    user: ana.user,
    actor: behind,
    secondFactorRequired: false,
  })
  expect((await app.call(verifySession, {}, ana.token)).body.actor).toBeNull()
  expect((await app.call(verifySession, {}, admin.token)).body.actor).toBeNull()
  const { sessions } = (
    await app.call(listDevices, { params: { userId: ana.user._id } }, ana.token)
  ).body
  expect(sessions.map(({ support }) => support)).toEqual([false, true])
  expect(await written(ana)).toEqual([
    { action: 'login-as', detail: { reason: 'asked for help' }, actor: admin.user._id },
  ])
})

test('an administrator cannot sign in as themselves, another administrator, a blocked or an unknown user', async () => {
  const [second, blocked] = [await administrator(), await app.register('Blocked')]
  await allow(blocked, 'block')
  const answers = await Promise.all([signInAs(admin), signInAs(second), signInAs(blocked)])
  expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
    [409, 'You are already signed in as yourself'],
    [403, 'You cannot sign in as another administrator'],
    [409, 'This user is blocked. Unblock them first.'],
  ])
  expect(
    (await app.call(loginAs, { params: { userId: '999999' }, body: null }, admin.token)).status,
  ).toBe(404)
  expect((await signInAs(admin, (await app.register()).token)).status).toBe(403)
})

test('impersonation ends after an hour, even when in use', async () => {
  const ana = await app.register('Ana')
  const token = await acting(ana)
  const age = (minutes: number) =>
    app.database.pool.query(
      `update login_session set expires_at = expires_at - $2 * interval '1 minute' where user_id = $1 and impersonator_id is not null`,
      [ana.user._id, minutes],
    )
  await age(50)
  expect(await sees(token)).toBe(200)
  await age(10)
  expect([await sees(token), await sees(ana.token), await sees(admin.token)]).toEqual([
    401, 200, 200,
  ])
})

test('returning ends it on the server and is audited', async () => {
  const ana = await app.register('Ana')
  const token = await acting(ana)
  expect((await app.call(logout, {}, token)).status).toBe(200)
  expect([await sees(token), await sees(ana.token), await sees(admin.token)]).toEqual([
    401, 200, 200,
  ])
  expect((await written(ana)).map(({ action }) => action)).toEqual([
    'login-as',
    'acted-as',
    'login-as-ended',
  ])
})

test.each<[string, (second: TestUser) => Promise<{ status: number }>]>([
  ['is blocked', second => allow(second, 'block')],
  [
    'is deleted',
    second => app.call(deleteUser, { params: { userId: second.user._id } }, admin.token),
  ],
  ['loses the role', second => setRoleOf(second, 'user')],
  ['signs out', second => app.call(logout, {}, second.token)],
  [
    'signs out everywhere',
    second =>
      app.call(endSessions, { params: { userId: second.user._id }, body: {} }, second.token),
  ],
])('it ends when the administrator %s', async (_, ends) => {
  const [ana, second] = [await app.register('Ana'), await administrator()]
  const token = await acting(ana, second.token)
  expect(await sees(token)).toBe(200)
  expect((await ends(second)).status).toBe(200)
  expect([await sees(token), await sees(ana.token)]).toEqual([401, 200])
})

test('impersonation in another browser continues when the administrator signs out in this one', async () => {
  const [ana, second] = [await app.register('Ana'), await administrator()]
  const other = await app.signIn(second.user.email, second.password)
  const [here, there] = [await acting(ana, second.token), await acting(ana, other)]
  expect((await app.call(logout, {}, second.token)).status).toBe(200)
  expect([await sees(here), await sees(there), await sees(other)]).toEqual([401, 200, 200])
})

test.each<[string, (ana: TestUser) => Promise<unknown>]>([
  ['is blocked', ana => allow(ana, 'block').then(() => allow(ana, 'allow'))],
  [
    'was an administrator for a moment',
    ana => setRoleOf(ana, 'admin').then(() => setRoleOf(ana, 'user')),
  ],
  [
    'ends it in the list of devices',
    async ana => {
      const { sessions } = (
        await app.call(listDevices, { params: { userId: ana.user._id } }, ana.token)
      ).body
      const support = sessions.find(one => one.support)!
      return app.call(
        endSessions,
        { params: { userId: ana.user._id }, body: { sessionId: support._id } },
        ana.token,
      )
    },
  ],
])('it ends for good when the customer %s', async (_, ends) => {
  const ana = await app.register('Ana')
  const token = await acting(ana)
  await ends(ana)
  expect(await sees(token)).toBe(401)
})

test('it does not resume when the administrator regains the role', async () => {
  const [ana, second] = [await app.register('Ana'), await administrator()]
  const token = await acting(ana, second.token)
  await setRoleOf(second, 'user')
  await setRoleOf(second, 'admin')
  expect(await sees(token)).toBe(401)
})

test('every change during impersonation is audited before it runs, under both names, even if refused', async () => {
  const ana = await app.register('Ana')
  await app.creditDollars(ana.user._id, 9.5)
  const token = await acting(ana)
  const params = { userId: ana.user._id }
  expect((await app.call(placeOrder, { body: singleOrderBody(ana.user._id) }, token)).status).toBe(
    200,
  )
  expect((await app.call(placeOrder, { body: singleOrderBody(ana.user._id) }, token)).status).toBe(
    402,
  )
  expect((await app.call(initBatch, { body: params }, token)).status).toBe(200)
  await app.call(saveAddress, { params, body: { formData: {} } } as never, token)
  await app.call(saveAccount, { params, body: { name: 'Ana Maria' } }, token)
  const {
    rows: [{ id: orderId }],
  } = await app.database.pool.query('select id::text from shipment_order where user_id = $1', [
    params.userId,
  ])
  await app.send({ method: 'POST', url: `/api/orders/${orderId}/void`, headers: { token } })
  const lines = await written(ana)
  expect(lines.every(({ actor }) => actor === admin.user._id)).toBe(true)
  expect(lines.filter(({ action }) => action === 'acted-as').map(({ detail }) => detail)).toEqual([
    { call: 'POST /api/orders/v2' },
    { call: 'POST /api/orders/v2' },
    { call: 'POST /api/orders/bulk/init' },
    { call: 'POST /api/auth/save-address/:userId' },
    { call: 'PUT /api/auth/account/:userId' },
    { call: 'POST /api/orders/:orderId/void', orderId },
  ])
})

test('the administrator is the actor of every entry during impersonation, also for an inviter and an invoice', async () => {
  const [ana, host] = [await app.register('Ana'), await app.register('Host')]
  const token = await acting(ana)
  expect(
    (await app.call(applyReferral, { body: { referralCode: host.user.referralCode } }, token))
      .status,
  ).toBe(200)
  expect((await app.call(topUp, { params: { userId: ana.user._id } }, token)).status).toBe(200)
  expect((await written(ana)).slice(1)).toEqual([
    {
      action: 'acted-as',
      detail: { call: 'POST /api/invite/referral/apply' },
      actor: admin.user._id,
    },
    { action: 'referral', detail: { invitedBy: Number(host.user._id) }, actor: admin.user._id },
    {
      action: 'acted-as',
      detail: { call: 'GET /api/payment/top-up/:userId' },
      actor: admin.user._id,
    },
  ])
})

test('reading and price quotes are not audited; downloads are', async () => {
  const ana = await app.register('Ana')
  const {
    body: { token },
    headers,
  } = await signInAs(ana)
  const cookie = String([headers['set-cookie']].flat()[0]).split(';')[0]!
  await app.call(statement, { params: { userId: ana.user._id }, query: {} }, token)
  await app.call(quotePrice, { body: { userId: ana.user._id, shipments: [] } }, token)
  expect(await written(ana)).toHaveLength(1)
  const url = `/api/wallet/${ana.user._id}/statement.csv`
  expect((await app.send({ method: 'GET', url, headers: { cookie } })).statusCode).toBe(200)
  expect((await app.send({ method: 'GET', url, headers: { token } })).statusCode).toBe(200)
  expect((await written(ana)).slice(1).map(({ detail }) => detail)).toEqual([
    { call: 'GET /api/wallet/:userId/statement.csv' },
    { call: 'GET /api/wallet/:userId/statement.csv' },
  ])
})

test('a change that cannot be audited is not made', async () => {
  const ana = await app.register('Ana')
  const token = await acting(ana)
  await app.database.owner.pool.query(
    `alter table audit_entry add constraint closed check (action <> 'acted-as') not valid`,
  )
  const answer = await app.call(
    saveAccount,
    { params: { userId: ana.user._id }, body: { name: 'Another name' } },
    token,
  )
  await app.database.owner.pool.query('alter table audit_entry drop constraint closed')
  expect(answer.status).toBe(500)
  expect((await app.call(verifySession, {}, ana.token)).body.user.name).toBe('Ana')
})

test('actions of users as themselves are not audited as impersonation', async () => {
  const ana = await app.register('Ana')
  await app.call(
    saveAccount,
    { params: { userId: ana.user._id }, body: { name: 'Anna' } },
    ana.token,
  )
  expect(await written(ana)).toEqual([])
})

test('impersonation has no administrator rights, cannot set a password and signs out no device', async () => {
  const ana = await app.register('Ana')
  const token = await acting(ana)
  const params = { userId: ana.user._id }
  expect((await app.call(listUsers, { query: {} }, token)).status).toBe(403)
  expect(
    (
      await app.call(
        loginAs,
        { params: { userId: (await app.register()).user._id }, body: {} },
        token,
      )
    ).status,
  ).toBe(403)
  const body = { name: 'Ana', password: 'a brand new passphrase', currentPassword: ana.password }
  expect((await app.call(saveAccount, { params, body }, token)).status).toBe(403)
  const out = await app.call(endSessions, { params, body: {} }, token)
  expect([out.status, out.body.message]).toEqual([
    403,
    'This cannot be done while signed in as another user',
  ])
  expect(await sees(ana.token)).toBe(200)
  expect(await refused(ana)).toEqual([
    [admin.user._id, 'GET /api/auth/users'],
    [admin.user._id, 'POST /api/auth/login-as-user/:userId'],
    [admin.user._id, 'PUT /api/auth/account/:userId'],
    [admin.user._id, 'POST /api/auth/sessions/:userId/end'],
  ])
})

test('an administrator signed in as a user can stop a webhook, and send nothing anywhere else', async () => {
  const ana = await app.register('Ana')
  const params = { userId: ana.user._id }
  const endpoint = (url: string) => ({ url, types: ['label.bought' as const] })
  const made = await app.call(
    createWebhook,
    { params, body: endpoint('https://ana.example/in') },
    ana.token,
  )
  const token = await acting(ana)
  const other = endpoint('https://support.example/in')
  expect((await app.call(createWebhook, { params, body: other }, token)).status).toBe(403)
  const change = (body: { url?: string; enabled?: boolean }) =>
    app.call(updateWebhook, { params: { ...params, webhookId: made.body._id }, body }, token)
  const moved = await change({ url: other.url, enabled: false })
  expect([moved.status, moved.body.message]).toEqual([
    403,
    'Only the user can change the URL or the secret of a webhook. Nothing was changed.',
  ])
  expect((await change({ url: 'https://ana.example/in', enabled: false })).status).toBe(200)
  const { webhooks } = (await app.call(listWebhooks, { params }, ana.token)).body
  expect(webhooks.map(({ url, enabled }) => [url, enabled])).toEqual([
    ['https://ana.example/in', false],
  ])
  expect(await refused(ana)).toEqual([
    [admin.user._id, 'POST /api/webhooks/:userId'],
    [admin.user._id, 'PUT /api/webhooks/:userId/:webhookId'],
  ])
})

test('an administrator signed in as a user changes no webhook made through /v2, but can delete it', async () => {
  const ana = await app.register('Ana')
  const token = await acting(ana)
  const url = 'https://ana.example/v2'
  const create = (by: string) =>
    app.call(easypostCreateWebhook, { query: {}, body: { webhook: { url } } }, by)
  expect((await create(token)).status).toBe(403)
  const made = await create(ana.token)
  const given = { params: { id: made.body.id }, query: {} }
  const moved = { webhook: { url: 'https://support.example/v2' } }
  expect((await app.call(easypostPutWebhook, { ...given, body: moved }, token)).status).toBe(403)
  const signed = { webhook: { webhook_secret: 'known to support' } }
  expect((await app.call(easypostUpdateWebhook, { ...given, body: signed }, token)).status).toBe(
    403,
  )
  expect((await app.call(easypostDeleteWebhook, given, token)).status).toBe(200)
})
