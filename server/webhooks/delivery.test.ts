/** How messages reach an endpoint, or do not. */
import { Webhook } from 'standardwebhooks'
import { expect, test, vi } from 'vitest'
import { deleteUser, setUserActivation } from '#contract/accounts.ts'
import {
  changeWebhookSecret,
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  MAX_KEPT_ANSWER,
  replayDelivery,
  testWebhook,
  updateWebhook,
} from '#contract/webhooks.ts'
import { publish } from '#server/platform/outbox/outbox.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { mailsTo } from '#tests/support/mail-outbox.ts'
import { webhookReceiver } from '#tests/support/webhook-receiver.ts'
import { cancelWebhooksAfterRestore } from './after-restore.ts'
import { switchOff } from './endpoint-store.ts'

const app = await testApp({ env: { WEBHOOKS_ALLOW_LOOPBACK: 'yes' } })
const { pool } = app.database

type Listener = TestUser & { webhookId: string; secret: string }

async function listener(url: string, by?: TestUser): Promise<Listener> {
  const user = by ?? (await app.register())
  const { status, body } = await app.call(
    createWebhook,
    { params: { userId: user.user._id }, body: { url, types: ['deposit.settled'] } },
    user.token,
  )
  expect(status, body.message).toBe(200)
  return { ...user, webhookId: body._id, secret: body.secret }
}
const paramsOf = ({ user, webhookId }: Listener) => ({ userId: user._id, webhookId })

/** A fact, as the ledger tells it. */
const tell = (of: Listener, count = 1): Promise<void> =>
  app.database.tx(tx =>
    publish(
      tx,
      Array.from({ length: count }, (_, n) => ({
        userId: Number(of.user._id),
        type: 'deposit.settled' as const,
        data: { invoiceId: `inv-${n}`, amount: n },
      })),
    ),
  )
const deliveries = async (of: Listener, limit = 20) =>
  (await app.call(listDeliveries, { params: paramsOf(of), query: { limit } }, of.token)).body
    .deliveries
const webhook = async (of: Listener) =>
  (await app.call(listWebhooks, { params: { userId: of.user._id } }, of.token)).body.webhooks.find(
    ({ _id }) => _id === of.webhookId,
  )!

/**
 * With a failing answer: no further try by itself, which would come after 5 s, before a slow machine has looked at the first.
 * `passWaits` ends this wait too.
 */
const LATER = { 'retry-after': '3600' }

/** As if the waiting time of the schedule was over. */
async function passWaits(of: Listener): Promise<void> {
  await pool.query(
    `update webhook_delivery set next_try_at = clock_timestamp() where endpoint_id = $1 and state = 'waiting'`,
    [of.webhookId],
  )
  await pool.query(
    `update webhook_endpoint set paused_until = null, due_at = clock_timestamp() where id = $1`,
    [of.webhookId],
  )
}

test('a message that fails is tried again under the same id, with the same body, signed again', async () => {
  const receiver = await webhookReceiver()
  const ana = await listener(receiver.url)
  receiver.answer(() => ({ status: 500, headers: LATER, body: 'é'.repeat(MAX_KEPT_ANSWER) }))
  await tell(ana)
  const first = await receiver.next('deposit.settled')
  await expect.poll(async () => (await deliveries(ana))[0]!.tries).toHaveLength(1)
  const [waiting] = await deliveries(ana)
  expect(waiting).toMatchObject({
    state: 'waiting',
    type: 'deposit.settled',
    body: first.text,
    messageId: first.headers['webhook-id'],
    nextTry: expect.any(String),
  })
  expect(waiting!.tries[0]).toMatchObject({ outcome: 'refused', status: 500, replay: false })
  expect(Buffer.byteLength(waiting!.tries[0]!.answer!)).toBe(MAX_KEPT_ANSWER)
  expect((await webhook(ana)).failingSince).not.toBeNull()

  receiver.answer(() => ({ status: 200, body: 'thanks' }))
  await passWaits(ana)
  const second = await receiver.next('deposit.settled', 1)
  expect(second.text).toBe(first.text)
  expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
  await expect.poll(async () => (await deliveries(ana))[0]!.state).toBe('delivered')
  expect((await deliveries(ana))[0]!.tries.map(({ outcome }) => outcome)).toEqual([
    'refused',
    'delivered',
  ])
  expect((await webhook(ana)).failingSince).toBeNull()
})

test('a redirect is not followed, and a message is not sent to a closed port', async () => {
  const [receiver, other] = [await webhookReceiver(), await webhookReceiver()]
  receiver.answer(() => ({ status: 307, headers: { ...LATER, location: other.url } }))
  const ana = await listener(receiver.url)
  await tell(ana)
  await expect.poll(async () => (await deliveries(ana))[0]?.tries[0]?.outcome).toBe('redirected')
  expect(other.received).toEqual([])
  await app.call(
    updateWebhook,
    { params: paramsOf(ana), body: { url: 'http://127.0.0.1:1' } },
    ana.token,
  )
  await passWaits(ana)
  await expect.poll(async () => (await deliveries(ana))[0]!.tries[1]?.outcome).toBe('unreachable')
})

test('an endpoint that hangs delays no other, and gets two messages at a time', async () => {
  const [hanging, quick] = [await webhookReceiver(), await webhookReceiver()]
  hanging.answer(() => 'nothing')
  quick.answer(() => ({ status: 204, afterMs: 5 }))
  const ana = await listener(hanging.url)
  const ben = await listener(quick.url, ana)
  await tell(ana, 60)
  await expect.poll(() => quick.received).toHaveLength(60)
  expect(hanging.mostOpen()).toBe(2)
  expect(quick.mostOpen()).toBe(2)
  expect(new Set(quick.received.map(({ headers }) => headers['webhook-id'])).size).toBe(60)
  await app.call(deleteWebhook, { params: paramsOf(ana) }, ana.token)
  expect(await deliveries(ben, 50)).toHaveLength(50)
})

test('410 switches the endpoint off, what waits is canceled, and its owner gets a mail', async () => {
  const receiver = await webhookReceiver()
  const ana = await listener(receiver.url)
  receiver.answer(({ data }) => ({ status: data.amount === 0 ? 410 : 500 }))
  await tell(ana, 3)
  await expect.poll(async () => (await webhook(ana)).enabled).toBe(false)
  expect(await webhook(ana)).toMatchObject({ offReason: 'gone' })
  await expect
    .poll(async () => (await deliveries(ana)).map(({ state }) => state).toSorted())
    .toEqual(['canceled', 'canceled', 'failed'])
  await expect
    .poll(async () => (await mailsTo(app.ctx.config.dataDir, ana.user.email)).at(-1)?.text)
    .toContain('It responded with status 410')
  await tell(ana)
  const on = await app.call(
    updateWebhook,
    { params: paramsOf(ana), body: { enabled: true } },
    ana.token,
  )
  expect(on.body).toMatchObject({ enabled: true, offReason: null, failingSince: null })
  expect(await deliveries(ana)).toHaveLength(3)
})

test('a slow program gets no further messages once its webhook is switched off', async () => {
  const receiver = await webhookReceiver()
  receiver.answer(() => ({ status: 204, afterMs: 1_500 }))
  const ana = await listener(receiver.url)
  await tell(ana, 20)
  await receiver.next('deposit.settled', 1)
  await app.call(updateWebhook, { params: paramsOf(ana), body: { enabled: false } }, ana.token)
  const leases = `select 1 from webhook_endpoint where id = $1 and lease_until is not null`
  await expect.poll(async () => (await pool.query(leases, [ana.webhookId])).rows).toEqual([])
  const states = (await deliveries(ana)).map(({ state }) => state)
  expect(states).toContain('canceled')
  expect(states.filter(state => state === 'delivered')).toHaveLength(receiver.received.length)
})

test('what an old address still answers does not switch off the new one, which gets the messages', async () => {
  const [old, other] = [await webhookReceiver(), await webhookReceiver()]
  const changed = Promise.withResolvers<void>()
  old.answer(() => ({ status: 410, after: changed.promise }))
  const ana = await listener(old.url)
  await tell(ana, 3)
  await old.next('deposit.settled', 1)
  await app.call(updateWebhook, { params: paramsOf(ana), body: { url: other.url } }, ana.token)
  changed.resolve()
  await expect
    .poll(async () => (await deliveries(ana)).map(({ state }) => state))
    .toEqual(['delivered', 'delivered', 'delivered'])
  expect(other.received).toHaveLength(3)
  expect(await webhook(ana)).toMatchObject({ enabled: true, failingSince: null })
})

test('an answer of an old address that was recorded before the change does not switch off the new one', async () => {
  const to = await listener('https://hooks.example.com/old')
  const endpoint = { id: Number(to.webhookId), url: 'https://hooks.example.com/old' }
  const url = 'https://hooks.example.com/new'
  await app.call(updateWebhook, { params: paramsOf(to), body: { url } }, to.token)
  const switchedOff = (at: string) =>
    app.database.tx(tx => switchOff(tx, { ...endpoint, url: at }, 'gone'))
  expect(await switchedOff(endpoint.url)).toBe(false)
  expect(await webhook(to)).toMatchObject({ url, enabled: true, offReason: null })
  expect(await switchedOff(url)).toBe(true)
})

test('what failed at an address, or was not sent to it during a pause, goes to the new one at once', async () => {
  const [old, other] = [await webhookReceiver(), await webhookReceiver()]
  old.answer(() => ({ status: 503, headers: { 'retry-after': '86400' } }))
  const ana = await listener(old.url)
  await tell(ana)
  await expect.poll(async () => (await deliveries(ana))[0]?.tries).toHaveLength(1)
  await tell(ana)
  await expect.poll(() => deliveries(ana)).toHaveLength(2)
  await app.call(updateWebhook, { params: paramsOf(ana), body: { url: other.url } }, ana.token)
  await expect
    .poll(async () => (await deliveries(ana)).map(({ state }) => state))
    .toEqual(['delivered', 'delivered'])
  expect([old.received.length, other.received.length]).toEqual([1, 2])
})

test('an endpoint without a success for three days is switched off', async () => {
  const receiver = await webhookReceiver()
  const ana = await listener(receiver.url)
  receiver.answer(() => ({ status: 500 }))
  await pool.query(
    `update webhook_endpoint set failing_since = clock_timestamp() - interval '75 hours', failures_in_row = 9 where id = $1`,
    [ana.webhookId],
  )
  await tell(ana)
  await expect.poll(async () => (await webhook(ana)).offReason).toBe('dead')
})

test('what was not canceled yet is delivered when the webhook is switched on again', async () => {
  const receiver = await webhookReceiver()
  receiver.answer(() => ({ status: 500, headers: LATER }))
  const ana = await listener(receiver.url)
  await tell(ana)
  await expect.poll(async () => (await deliveries(ana))[0]?.tries.length).toBe(1)
  // As after a process that ended between the switch-off and the cancellation of its messages.
  await pool.query(
    `update webhook_endpoint set enabled = false, off_reason = 'user', due_at = null, lease_until = null, fence = fence + 1 where id = $1`,
    [ana.webhookId],
  )
  await pool.query(
    'update webhook_delivery set next_try_at = clock_timestamp() where endpoint_id = $1',
    [ana.webhookId],
  )
  receiver.answer(() => ({ status: 200 }))
  await app.call(updateWebhook, { params: paramsOf(ana), body: { enabled: true } }, ana.token)
  await expect.poll(async () => (await deliveries(ana))[0]!.state).toBe('delivered')
})

test('a process whose clock is three days ahead pauses an endpoint no longer than the endpoint asks for', async () => {
  const receiver = await webhookReceiver()
  receiver.answer(() => ({ status: 503, headers: { 'retry-after': '600' } }))
  const ana = await listener(receiver.url)
  const now = Date.now.bind(Date)
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 3 * 86_400_000)
  const pause = async () =>
    (
      await pool.query<{ minutes: number }>(
        'select extract(epoch from paused_until - now())::float8 / 60 as minutes from webhook_endpoint where id = $1',
        [ana.webhookId],
      )
    ).rows[0]!.minutes
  try {
    await tell(ana)
    await expect.poll(pause).toBeGreaterThan(0)
  } finally {
    clock.mockRestore()
  }
  expect(await pause()).toBeLessThanOrEqual(10)
  expect(Date.parse((await deliveries(ana))[0]!.tries[0]!.at)).toBeLessThan(Date.now() + 60_000)
})

test('for 24 hours after a change of the secret the old one signs too; both are sealed at rest', async () => {
  const receiver = await webhookReceiver()
  const ana = await listener(receiver.url)
  const { body } = await app.call(changeWebhookSecret, { params: paramsOf(ana) }, ana.token)
  expect(Date.parse(body.oldSecretUntil) - Date.now()).toBeGreaterThan(23.9 * 3_600_000)
  await tell(ana)
  const { text, headers } = await receiver.next('deposit.settled')
  const verifiedBy = (secret: string) =>
    new Webhook(secret).verify(text, headers as Record<string, string>)
  expect([verifiedBy(ana.secret), verifiedBy(body.secret)]).toEqual([
    JSON.parse(text),
    JSON.parse(text),
  ])
  const { rows: stored } = await pool.query<{ bytes: Buffer }>(
    'select secret || previous_secret as bytes from webhook_endpoint where id = $1',
    [ana.webhookId],
  )
  for (const secret of [ana.secret, body.secret])
    expect(stored[0]!.bytes.includes(Buffer.from(secret.slice(6), 'base64'))).toBe(false)

  await pool.query(
    `update webhook_endpoint set previous_secret_until = clock_timestamp() where id = $1`,
    [ana.webhookId],
  )
  await tell(ana)
  const later = await receiver.next('deposit.settled', 1)
  expect(() =>
    new Webhook(ana.secret).verify(later.text, later.headers as Record<string, string>),
  ).toThrow()
})

test('a test and a replay answer what came of one try, also for an endpoint that is off', async () => {
  const receiver = await webhookReceiver()
  const ana = await listener(receiver.url.replace('127.0.0.1', 'localhost'))
  receiver.answer(() => ({ status: 503, headers: LATER, body: 'not now' }))
  await tell(ana)
  await expect.poll(async () => (await deliveries(ana))[0]?.tries).toHaveLength(1)
  await app.call(updateWebhook, { params: paramsOf(ana), body: { enabled: false } }, ana.token)
  const [canceled] = await deliveries(ana)
  expect(canceled!.state).toBe('canceled')

  const failed = await app.call(testWebhook, { params: paramsOf(ana) }, ana.token)
  expect(failed.body).toMatchObject({ type: 'webhook.test', state: 'failed' })
  expect(failed.body.tries).toMatchObject([{ outcome: 'refused', status: 503, answer: 'not now' }])

  receiver.answer(() => ({ status: 200 }))
  const replayed = await app.call(
    replayDelivery,
    { params: { ...paramsOf(ana), deliveryId: canceled!._id } },
    ana.token,
  )
  expect(replayed.body).toMatchObject({ _id: canceled!._id, state: 'delivered' })
  expect(replayed.body.tries.map(({ replay, outcome }) => [replay, outcome])).toEqual([
    [false, 'refused'],
    [true, 'delivered'],
  ])
  const [first, second] = receiver.ofType('deposit.settled')
  expect([second!.text, second!.headers['webhook-id']]).toEqual([
    first!.text,
    first!.headers['webhook-id'],
  ])
  expect(await webhook(ana)).toMatchObject({ enabled: false, failingSince: expect.any(String) })
})

test('a blocked user receives nothing until the block ends; a deleted one never again', async () => {
  const receiver = await webhookReceiver()
  const [ana, ben] = [await listener(receiver.url), await listener(`${receiver.url}/ben`)]
  const admin = await app.admin()
  const activate = (activation: 'allow' | 'block') =>
    app.call(
      setUserActivation,
      { params: { userId: ana.user._id }, body: { activation } },
      admin.token,
    )
  expect((await activate('block')).status).toBe(200)
  await tell(ana)
  await tell(ben)
  await receiver.next('deposit.settled')
  expect(receiver.received.map(({ path }) => path)).toEqual(['/ben'])
  await activate('allow')
  await receiver.next('deposit.settled', 1)

  const { status } = await app.call(deleteUser, { params: { userId: ben.user._id } }, admin.token)
  expect(status).toBe(200)
  const { rows: left } = await pool.query(
    `select url, length(secret) as secret from webhook_endpoint where user_id = $1`,
    [ben.user._id],
  )
  expect(left).toEqual([{ url: '', secret: 0 }])
  await tell(ben)
  const { rows: waiting } = await pool.query('select 1 from outbox where user_id = $1', [
    ben.user._id,
  ])
  expect(waiting).toEqual([])
})

test('after a restore nothing that waited is sent by itself; it can be replayed', async () => {
  const receiver = await webhookReceiver()
  const ana = await listener(receiver.url)
  receiver.answer(() => ({ status: 500, headers: LATER }))
  await tell(ana)
  await expect.poll(async () => (await deliveries(ana))[0]?.tries).toHaveLength(1)
  await app.database.tx(cancelWebhooksAfterRestore)
  await passWaits(ana)
  expect(await deliveries(ana)).toMatchObject([{ state: 'canceled', nextTry: null }])
})
