/** Events reach the addresses made through /v2, and EasyPost's client verifies them. */
import { expect, test } from 'vitest'
import { publish } from '#server/platform/outbox/outbox.ts'
import { testApp } from '#tests/support/app.ts'
import { easypostClient, SHIPMENT } from '#tests/support/easypost-client.ts'
import { webhookReceiver } from '#tests/support/webhook-receiver.ts'
import { createEventFormat } from './event-format.ts'

const app = await testApp({ env: { WEBHOOKS_ALLOW_LOOPBACK: 'yes' } })

test('a program is told of its labels, parcels, refunds and batches, signed with its secret', async () => {
  const user = await app.register()
  await app.creditDollars(user.user._id, 100)
  const client = await easypostClient(app, user)
  const receiver = await webhookReceiver()
  const secret = 'sécret ﬁle'
  const hook = await client.Webhook.create({ url: `${receiver.url}/hook`, webhook_secret: secret })
  expect(hook).toMatchObject({ object: 'Webhook', mode: 'test', disabled_at: null })
  const event = async (description: string) => {
    const found = () =>
      receiver.received.find(one => JSON.parse(one.text).description === description)
    await expect.poll(found).toBeDefined()
    const { text, headers } = found()!
    return client.Utils.validateWebhook(Buffer.from(text), headers, secret)
  }

  const shipment = await client.Shipment.create({ ...SHIPMENT, service: 'Priority' })
  const created = await event('tracker.created')
  expect(created.result).toMatchObject({
    id: shipment.tracker.id,
    object: 'Tracker',
    shipment_id: shipment.id,
  })
  const orderId = String(Number.parseInt(shipment.tracker.id.slice(4, 20), 16))
  await app.database.tx(tx =>
    publish(tx, [
      {
        userId: Number(user.user._id),
        type: 'parcel.updated',
        data: {
          orderId,
          batchId: null,
          trackingNumber: shipment.tracking_code,
          status: 'in_transit',
          eventAt: null,
        },
      },
    ]),
  )
  expect((await event('tracker.updated')).result.id).toBe(shipment.tracker.id)
  await client.Shipment.refund(shipment.id)
  expect((await event('refund.successful')).result).toMatchObject({
    object: 'Refund',
    status: 'refunded',
    shipment_id: shipment.id,
  })

  const batch = await client.Batch.create({
    shipments: [{ ...SHIPMENT, service: 'GroundAdvantage' }],
  })
  expect((await event('batch.created')).result).toMatchObject({ id: batch.id, state: 'created' })
  await client.Batch.buy(batch.id)
  expect((await event('batch.updated')).result).toMatchObject({ id: batch.id, state: 'purchased' })

  const { events } = await client.Event.all({ page_size: 10 })
  const batchEvents = events.filter((one: { description: string }) =>
    one.description.startsWith('batch.'),
  )
  expect(batchEvents.map((one: { description: string }) => one.description)).toEqual([
    'batch.updated',
    'batch.created',
  ])
  const [first] = (await client.Event.all({ page_size: 1 })).events
  expect((await client.Event.retrieve(first.id)).id).toBe(first.id)
  expect(first.user_id).toBe(`user_${user.user._id}`)
})

test('an event of a large batch counts its shipments and does not list them', async () => {
  const client = await easypostClient(app, await app.register())
  const receiver = await webhookReceiver()
  await client.Webhook.create({ url: receiver.url })
  const told = () => receiver.received.map(({ text }) => JSON.parse(text).result)
  await client.Batch.create({ shipments: Array.from({ length: 100 }, () => ({})) })
  await expect.poll(told).toHaveLength(1)
  expect(told()[0].shipments).toHaveLength(100)
  const large = await client.Batch.create({
    reference: 'large',
    shipments: Array.from({ length: 101 }, () => ({ reference: 'x'.repeat(100) })),
  })
  await expect.poll(told).toHaveLength(2)
  expect(told()[1]).toMatchObject({
    id: large.id,
    state: 'creation_failed',
    reference: 'large',
    num_shipments: 101,
    status: { creation_failed: 101, created: 0 },
    shipments: [],
  })
  // The API lists all of them.
  expect((await client.Batch.retrieve(large.id)).shipments).toHaveLength(101)
})

test('buying a batch in which nothing can be bought sends no event', async () => {
  const user = await app.register()
  const client = await easypostClient(app, user)
  const receiver = await webhookReceiver()
  await client.Webhook.create({ url: receiver.url })
  const [empty, other] = [
    await client.Batch.create({ shipments: [{}] }),
    await client.Batch.create({ shipments: [{ ...SHIPMENT, service: 'Priority' }] }),
  ]
  for (let n = 0; n < 3; n++)
    expect((await client.Batch.buy(empty.id)).updated_at).toBe(empty.updated_at)
  await client.Batch.buy(other.id)
  const updated = () =>
    receiver.received
      .map(({ text }) => JSON.parse(text))
      .filter(({ description }) => description === 'batch.updated')
  // Events of ended batches are sent together.
  await expect.poll(updated).toHaveLength(1)
  expect(updated()[0].result).toMatchObject({ id: other.id, state: 'purchase_failed' })
})

test('a message that cannot be made into an event holds up no other user', async () => {
  const [bad, good] = [await app.register(), await app.register()]
  const [first, second] = [await easypostClient(app, bad), await easypostClient(app, good)]
  const receiver = await webhookReceiver()
  await first.Webhook.create({ url: `${receiver.url}/bad` })
  await second.Webhook.create({ url: `${receiver.url}/good` })
  await app.database.pool.query(
    `insert into outbox (user_id, type, data, is_bulk_row) values ($1, 'label.bought', '{"orderId": "none"}', false)`,
    [bad.user._id],
  )
  await first.Batch.create({ shipments: [] })
  await second.Batch.create({ shipments: [] })
  const paths = () => receiver.received.map(({ path }) => path).toSorted()
  await expect.poll(paths).toEqual(['/bad', '/good'])
  const { rows } = await app.database.pool.query('select data from outbox')
  expect(rows).toEqual([{ data: { orderId: 'none' } }])
})

test('a change of a webhook that is refused for its address leaves the secret as it was', async () => {
  const user = await app.register()
  const client = await easypostClient(app, user)
  const receiver = await webhookReceiver()
  const hook = await client.Webhook.create({ url: receiver.url, webhook_secret: 'first' })
  const refused = await app.send({
    method: 'PATCH',
    url: `/v2/webhooks/${hook.id}`,
    headers: { token: user.token },
    payload: { webhook: { url: 'https://10.0.0.1/', webhook_secret: 'second' } },
  })
  expect(refused.statusCode).toBe(422)
  await client.Batch.create({ shipments: [] })
  await expect.poll(() => receiver.received).toHaveLength(1)
  const [{ text, headers }] = receiver.received as [(typeof receiver.received)[number]]
  expect(client.Utils.validateWebhook(Buffer.from(text), headers, 'first').description).toBe(
    'batch.created',
  )
})

test('a webhook is changed, listed and deleted by its owner alone', async () => {
  const [ana, bob] = [await app.register(), await app.register()]
  const [client, other] = [await easypostClient(app, ana), await easypostClient(app, bob)]
  const receiver = await webhookReceiver()
  const hook = await client.Webhook.create({ url: receiver.url })
  expect((await other.Webhook.all()).webhooks).toEqual([])
  await expect(other.Webhook.retrieve(hook.id)).rejects.toMatchObject({ statusCode: 404 })
  await expect(other.Webhook.delete(hook.id)).rejects.toMatchObject({ statusCode: 404 })
  await expect(
    client.Webhook.create({ url: 'https://10.0.0.1/', webhook_secret: 'x' }),
  ).rejects.toMatchObject({ statusCode: 422, errors: [{ field: 'url' }] })
  const changed = await client.Webhook.update(hook.id, { webhook_secret: 'new one' })
  expect(changed.id).toBe(hook.id)
  // EasyPost's clients for Java and C# change it with PUT.
  const put = await app.send({
    method: 'PUT',
    url: `/v2/webhooks/${hook.id}`,
    headers: { token: ana.token },
    payload: { webhook: { webhook_secret: 'newer one' } },
  })
  expect([put.statusCode, put.json()]).toEqual([200, expect.objectContaining({ id: hook.id })])
  expect((await client.Webhook.all()).webhooks.map((one: { id: string }) => one.id)).toEqual([
    hook.id,
  ])
  await client.Webhook.delete(hook.id)
  expect((await client.Webhook.all()).webhooks).toEqual([])
})

test('a program that looks for the signature letter for letter as EasyPost names it finds it', () => {
  const { sign } = createEventFormat({
    mode: 'test',
    parcelPage: () => null,
    batchLabelUrl: () => '',
  })
  const headers = sign({ messageId: '1', body: '{}', seconds: 0, secrets: [Buffer.from('secret')] })
  expect(Object.keys(headers)).toEqual(['X-Hmac-Signature'])
})
