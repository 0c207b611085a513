/** What a user's webhooks must not open: the operator's network, secrets, and what belongs to others. */
import { expect, test } from 'vitest'
import { createKey } from '#contract/api-keys.ts'
import {
  changeWebhookSecret,
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  replayDelivery,
  testWebhook,
  updateWebhook,
} from '#contract/webhooks.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'

// What a name leads to is decided at each look-up.
let addresses = ['127.0.0.1']
const app = await testApp({
  resolveName: async () => addresses,
  env: { REQUIRE_PROOF: 'yes' },
})
const ana = await app.register('Ana')
const ben = await app.register('Ben')

const create = (url: string, by: TestUser = ana) =>
  app.call(
    createWebhook,
    { params: { userId: by.user._id }, body: { url, types: ['label.bought', 'batch.completed'] } },
    by.token,
  )

test('76 a message goes to public addresses alone, by all that its name leads to at that moment', async () => {
  const { body: made } = await create('https://hooks.example.com')
  const params = { userId: ana.user._id, webhookId: made._id }
  for (const found of [['127.0.0.1'], ['10.0.0.1'], ['8.8.8.8', '::1'], ['169.254.169.254']]) {
    addresses = found
    const { body } = await app.call(testWebhook, { params }, ana.token)
    expect(body.tries).toMatchObject([{ outcome: 'address_not_allowed', status: null }])
  }
  addresses = []
  const { body } = await app.call(testWebhook, { params }, ana.token)
  expect(body.tries).toMatchObject([{ outcome: 'unreachable' }])

  const page = await app.call(listDeliveries, { params, query: { limit: 3 } }, ana.token)
  expect(page.body.deliveries).toHaveLength(3)
  const rest = await app.call(
    listDeliveries,
    { params, query: { limit: 3, after: page.body.next! } },
    ana.token,
  )
  expect([rest.body.deliveries.length, rest.body.next]).toEqual([2, null])
  await app.call(deleteWebhook, { params }, ana.token)
})

test('77 the secret of a webhook is sealed at rest, shown once, and changed with a proof alone', async () => {
  const { body: made } = await create('https://hooks.example.com')
  const params = { userId: ana.user._id, webhookId: made._id }
  const { rows: stored } = await app.database.pool.query<{ row: string }>(
    `select e::text || encode(secret, 'escape') as row from webhook_endpoint e where id = $1`,
    [made._id],
  )
  const bytes = Buffer.from(made.secret.slice('whsec_'.length), 'base64')
  for (const shape of [made.secret, bytes.toString('hex'), bytes.toString('latin1')])
    expect(stored[0]!.row).not.toContain(shape)
  const listed = await app.call(listWebhooks, { params: { userId: ana.user._id } }, ana.token)
  expect(JSON.stringify(listed.body)).not.toContain('whsec_')

  await app.database.pool.query(
    `update login_session set proven_at = clock_timestamp() - interval '31 minutes' where user_id = $1`,
    [ana.user._id],
  )
  const late = await app.call(changeWebhookSecret, { params }, ana.token)
  expect([late.status, late.body.code]).toEqual([403, 'proof_required'])
  await app.call(deleteWebhook, { params }, ana.token)
})

test('77 a key changes the secret of webhooks made through /v2 alone, and the audit says so', async () => {
  const cleo = await app.register('Cleo')
  const { body: own } = await create('https://hooks.example.com', cleo)
  const { key } = (
    await app.call(
      createKey,
      { params: { userId: cleo.user._id }, body: { name: 'Shop', scopes: ['webhooks'] } },
      cleo.token,
    )
  ).body
  const params = { userId: cleo.user._id, webhookId: own._id }
  const refused = await app.call(changeWebhookSecret, { params }, key)
  expect([refused.status, refused.body.code]).toEqual([403, 'not_for_keys'])
  const byKey = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) =>
    (
      await app.send({
        method,
        url,
        headers: { authorization: `Bearer ${key}` },
        ...(payload && { payload }),
      })
    ).json()
  const hook = await byKey('POST', '/v2/webhooks', {
    webhook: { url: 'https://hooks.example.com' },
  })
  const { webhooks } = await byKey('GET', '/v2/webhooks')
  expect(webhooks.map(({ id }: { id: string }) => id)).toEqual([hook.id])
  const change = { webhook: { webhook_secret: 'another' } }
  expect((await byKey('PATCH', `/v2/webhooks/${hook.id}`, change)).id).toBe(hook.id)
  const { rows: entries } = await app.database.pool.query<{ line: string }>(
    `select a::text as line from audit_entry a where action = 'webhook-secret-changed' and subject_id = $1`,
    [cleo.user._id],
  )
  expect(entries).toHaveLength(1)
  expect(entries[0]!.line).not.toContain('another')
})

test('78 webhooks and deliveries of another user do not exist, and no administrator reads them', async () => {
  const { body: made } = await create('https://hooks.example.com')
  const tested = await app.call(
    testWebhook,
    { params: { userId: ana.user._id, webhookId: made._id } },
    ana.token,
  )
  const params = { userId: ben.user._id, webhookId: made._id }
  expect((await app.call(listDeliveries, { params }, ben.token)).status).toBe(404)
  expect((await app.call(testWebhook, { params }, ben.token)).status).toBe(404)
  expect((await app.call(updateWebhook, { params, body: {} }, ben.token)).status).toBe(404)
  const { token } = await app.admin()
  const anas = { userId: ana.user._id }
  const read = await app.call(listWebhooks, { params: anas }, token)
  expect([read.status, read.body.code]).toEqual([403, 'not_yours'])
  const sent = { params: { ...anas, webhookId: made._id }, query: {} }
  expect((await app.call(listDeliveries, sent, token)).status).toBe(403)
  const { body: bens } = await create('https://hooks.example.com', ben)
  const foreign = await app.call(
    replayDelivery,
    { params: { ...params, webhookId: bens._id, deliveryId: tested.body._id } },
    ben.token,
  )
  expect([foreign.status, foreign.body.code]).toEqual([404, 'delivery_unknown'])
})
