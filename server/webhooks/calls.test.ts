/** The calls of a user's webhooks: what they keep, refuse and limit. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { listAuditEntries } from '#contract/audit.ts'
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  MAX_WEBHOOKS,
  updateWebhook,
} from '#contract/webhooks.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { insertDeliveries } from './delivery-store.ts'

const app = await testApp()
const ana = await app.register('Ana')

const create = (url: string, by: TestUser = ana) =>
  app.call(
    createWebhook,
    { params: { userId: by.user._id }, body: { url, types: ['label.bought', 'batch.completed'] } },
    by.token,
  )
const list = async (by: TestUser) =>
  (await app.call(listWebhooks, { params: { userId: by.user._id } }, by.token)).body.webhooks

test('a webhook is listed without its secret, changed, switched off and deleted, each in the audit', async () => {
  const { status, body: made } = await create('https://hooks.example.com/a#b')
  expect(status, made.message).toBe(200)
  expect(made).toMatchObject({
    url: 'https://hooks.example.com/a',
    types: ['batch.completed', 'label.bought'],
    bulkRows: false,
    enabled: true,
    failingSince: null,
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
  })
  const { secret: _, ...shown } = made
  expect(await list(ana)).toEqual([shown])
  const params = { userId: ana.user._id, webhookId: made._id }
  const changed = await app.call(
    updateWebhook,
    { params, body: { bulkRows: true, enabled: false } },
    ana.token,
  )
  expect(changed.body).toEqual({ ...shown, bulkRows: true, enabled: false, offReason: 'user' })
  expect((await app.call(deleteWebhook, { params }, ana.token)).status).toBe(200)
  expect(await list(ana)).toEqual([])
  const again = await app.call(deleteWebhook, { params }, ana.token)
  expect([again.status, again.body.code]).toEqual([404, 'webhook_unknown'])
  const admin = await app.admin()
  const audit = await app.call(listAuditEntries, { query: { userId: ana.user._id } }, admin.token)
  expect(
    audit.body.entries.map(({ action }) => action).filter(action => action.startsWith('webhook')),
  ).toEqual(['webhook-deleted', 'webhook-changed', 'webhook-created'])
})

test('a webhook made through /v2 keeps the events of /v2', async () => {
  const bo = await app.register('Bo')
  const made = await app.send({
    method: 'POST',
    url: '/v2/webhooks',
    headers: { token: bo.token },
    payload: { webhook: { url: 'https://hooks.example.com/v2' } },
  })
  expect(made.statusCode).toBe(201)
  const [before] = await list(bo)
  const params = { userId: bo.user._id, webhookId: before!._id }
  const change = (body: object) => app.call(updateWebhook, { params, body }, bo.token)
  const refused = await change({ types: ['label.bought'] })
  expect([refused.status, refused.body.code]).toEqual([409, 'wrong_state'])
  expect(refused.body.message).toContain('Leave types out')
  expect(await list(bo)).toEqual([before])
  expect((await change({ enabled: false })).status).toBe(200)
})

test('a private address is refused with the field, its value and a remedy', async () => {
  for (const url of ['https://10.0.0.7/hooks', 'https://[fe80::1]/', 'https://localhost/']) {
    const { status, body } = await create(url)
    expect([status, body.code, body.codes]).toEqual([
      422,
      'address_not_allowed',
      { url: 'address_not_allowed' },
    ])
    expect(body.errors!.url).toContain(new URL(url).hostname)
  }
  const { status, body } = await create('http://example.com')
  expect([status, body.errors]).toEqual([422, { url: 'URL must begin with https://' }])
  expect(await list(ana)).toEqual([])
})

test(`a user has at most ${MAX_WEBHOOKS} webhooks, also when two are made at once`, async () => {
  const cleo = await app.register('Cleo')
  for (let n = 1; n < MAX_WEBHOOKS; n++) await create(`https://hooks.example.com/${n}`, cleo)
  const both = await Promise.all([
    create('https://hooks.example.com/x', cleo),
    create('https://hooks.example.com/y', cleo),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await list(cleo)).toHaveLength(MAX_WEBHOOKS)
})

test('large messages are listed a few at a time, and none is left out', async () => {
  const cara = await app.register('Cara')
  const { body: made } = await create('https://hooks.example.com/large', cara)
  const params = { userId: cara.user._id, webhookId: made._id }
  await app.call(updateWebhook, { params, body: { enabled: false } }, cara.token)
  const sizes = [600, 3_000, 600, 500, 1]
  await app.database.tx(tx =>
    insertDeliveries(
      tx,
      sizes.map(kilobytes => ({
        endpointId: Number(made._id),
        messageId: randomUUID(),
        type: 'batch.completed',
        body: JSON.stringify({ text: 'x'.repeat(kilobytes * 1024) }),
        createdAt: new Date(),
      })),
    ),
  )
  const pages: number[][] = []
  for (let after: string | undefined, more = true; more;) {
    const { body } = await app.call(listDeliveries, { params, query: { after } }, cara.token)
    pages.push(body.deliveries.map(one => Math.floor(one.body.length / 1024)))
    more = body.next !== null
    after = body.next ?? undefined
  }
  expect(pages).toEqual([[1, 500, 600], [3_000], [600]])
})
