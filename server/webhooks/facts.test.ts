/** What a seller's program is told, and when. */
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { cents } from '#contract/money.ts'
import { placeOrder } from '#contract/orders.ts'
import { voidOrder } from '#contract/voids.ts'
import {
  createWebhook,
  LOW_BALANCE_DOLLARS,
  MESSAGE_DATA,
  WEBHOOK_TYPES,
} from '#contract/webhooks.ts'
import type { OfferedWebhookType, WebhookType } from '#contract/webhooks.ts'
import { adjustBalanceTo } from '#server/ledger/adjustment.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { rows, singleOrderBody } from '#tests/support/rows.ts'
import { webhookReceiver } from '#tests/support/webhook-receiver.ts'

const app = await testApp({ env: { WEBHOOKS_ALLOW_LOOPBACK: 'yes' } })
const receiver = await webhookReceiver()

async function listener(
  dollars: number,
  input: { types?: readonly OfferedWebhookType[]; bulkRows?: boolean } = {},
): Promise<TestUser & { secret: string; path: string }> {
  const user = await app.register()
  const userId = user.user._id
  if (dollars > 0) await app.creditDollars(userId, dollars)
  const path = `/${userId}`
  const { types = WEBHOOK_TYPES, bulkRows = false } = input
  const { status, body } = await app.call(
    createWebhook,
    {
      params: { userId },
      body: { url: receiver.url + path, types: [...types], bulkRows },
    },
    user.token,
  )
  expect(status, body.message).toBe(200)
  return { ...user, secret: body.secret, path }
}

const toldTo = ({ path }: { path: string }) => receiver.received.filter(one => one.path === path)
const place = (by: TestUser, changes: Parameters<typeof singleOrderBody>[1] = {}) =>
  app.call(placeOrder, { body: singleOrderBody(by.user._id, changes) }, by.token)

test('a label that is bought and voided is told with its number, signed, without a name or street', async () => {
  const ana = await listener(500)
  const { body: bought } = await place(ana)
  const { orderId, trackingNumber, price } = bought.data
  const message = await receiver.next('label.bought')
  expect(JSON.parse(message.text)).toEqual({
    type: 'label.bought',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    data: { orderId, batchId: null, state: 'purchased', trackingNumber, amount: price },
  })
  const headers = message.headers as Record<string, string>
  expect(new Webhook(ana.secret).verify(message.text, headers)).toHaveProperty(
    'type',
    'label.bought',
  )
  expect(headers['user-agent']).toMatch(/^Evenpost-Webhooks\//)
  expect(headers['content-type']).toBe('application/json')

  await app.call(voidOrder, { params: { orderId } }, ana.token)
  expect((await receiver.next('label.voided')).data).toEqual({
    orderId,
    batchId: null,
    state: 'voided',
    trackingNumber,
    amount: price,
  })
  for (const { type, data, text } of toldTo(ana)) {
    expect(MESSAGE_DATA[type as WebhookType].strict().parse(data)).toEqual(data)
    expect(text).not.toMatch(/Rivera|Street|Ave|Blvd/i)
  }
})

test('a single order that the carrier refuses is told with the reason that the caller got', async () => {
  const ana = await listener(500)
  const { status, body } = await place(ana, { receiver: { receiver_address2: 'SANDBOX REFUSE' } })
  expect(status).toBe(422)
  const { data } = await receiver.next('label.failed')
  expect(data).toMatchObject({ state: 'failed', batchId: null, code: 'label_refused' })
  expect(body.message).toContain(data.reason)
})

async function runBatch(by: TestUser): Promise<string> {
  const userId = by.user._id
  const { orderId } = (await app.call(initBatch, { body: { userId } }, by.token)).body
  const orderData = rows(3, n => (n === 2 ? { ToStreet2: 'SANDBOX REFUSE' } : {}))
  await app.call(processBatch, { params: { userId }, body: { orderId, orderData } }, by.token)
  const status = () =>
    app.call(batchStatus, { params: { orderId }, query: { failedLabels: 'none' } }, by.token)
  while (!isTerminal((await status()).body.status));
  return orderId
}

test('a bulk order tells its end once, and its rows to those who ask for them', async () => {
  const [ana, ben] = [await listener(500), await listener(500, { bulkRows: true })]
  const [anas, bens] = [await runBatch(ana), await runBatch(ben)]
  await receiver.next('batch.completed', 1)
  const kinds = (of: { path: string }) =>
    toldTo(of)
      .map(({ type }) => type)
      .toSorted()
  await expect
    .poll(() => kinds(ben))
    .toEqual(['batch.completed', 'label.bought', 'label.bought', 'label.failed'])
  expect(kinds(ana)).toEqual(['batch.completed'])
  expect(toldTo(ana)[0]!.data).toEqual({
    batchId: anas,
    status: 'completed_with_errors',
    total: 3,
    purchased: 2,
    failed: 1,
  })
  expect(toldTo(ben).every(({ data }) => data.batchId === bens)).toBe(true)
})

test('a low balance is told once until it was above the threshold again; deposits are told', async () => {
  const ana = await listener(0)
  await app.creditDollars(ana.user._id, LOW_BALANCE_DOLLARS + 5)
  expect((await receiver.next('deposit.settled')).data).toEqual({
    invoiceId: expect.any(String),
    amount: LOW_BALANCE_DOLLARS + 5,
  })
  await place(ana)
  const balances = () =>
    toldTo(ana)
      .filter(({ type }) => type === 'balance.low')
      .map(({ data }) => data)
  await place(ana)
  await expect.poll(balances).toHaveLength(1)
  expect(balances()[0]).toMatchObject({ threshold: LOW_BALANCE_DOLLARS })
  expect(balances()[0]!.balance).toBeLessThan(LOW_BALANCE_DOLLARS)

  await app.creditDollars(ana.user._id, LOW_BALANCE_DOLLARS)
  await app.database.tx(tx =>
    adjustBalanceTo(tx, Number(ana.user._id), cents(100), {
      actorId: 1,
      reason: 'test',
      auditId: 1,
    }),
  )
  await expect.poll(balances).toHaveLength(2)
  expect(balances()[1]).toEqual({ balance: 1, threshold: LOW_BALANCE_DOLLARS })
})

test('a user without webhooks writes nothing to the outbox', async () => {
  const ana = await app.register()
  await app.creditDollars(ana.user._id, 100)
  await app.database.owner.pool.query(`
    create table written (n int);
    create function note_message() returns trigger language plpgsql security definer as $$
      begin insert into written values (1); return null; end $$;
    create trigger note_message after insert on outbox for each row execute function note_message()`)
  expect((await place(ana)).status).toBe(200)
  const { rows: written } = await app.database.owner.pool.query('select * from written')
  expect(written).toEqual([])
})
