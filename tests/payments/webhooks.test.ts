/** Webhooks of the payment service, sent by the sandbox: doubled, out of order, forged, altered, unknown, huge and lost. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { cents } from '#contract/money.ts'
import { checkInvoice, listDeposits, topUp } from '#contract/payments.ts'
import { DeliveryPlan } from '#server/payments/sandbox/delivery-plan.ts'
import { sandboxProvider } from '#server/payments/sandbox/provider.ts'
import { deleteOldDeliveries } from '#server/payments/webhook-inbox-store.ts'
import { openWebhookInbox } from '#server/payments/webhook-inbox.ts'
import { signatureOf } from '#server/payments/webhook.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestApp, TestUser } from '#tests/support/app.ts'
import { tableChecksums } from '#tests/support/table-checksums.ts'

const POLL_INTERVAL = { interval: 100 }
const app = await testApp()
/** The same books, played by hand: nothing is told of what happens in them. */
const silent = sandboxProvider(app.ctx)
const secret = await silent.webhooks.secret()
const WEBHOOK_PATH = '/api/payment/webhooks/sandbox'

const balance = async ({ token }: TestUser) =>
  (await app.call(verifySession, {}, token)).body.user.balance
const invoiceOf = async ({ user, token }: TestUser) =>
  (await app.call(topUp, { params: { userId: user._id } }, token)).body.id

function message(invoiceId: string, type = 'InvoiceSettled', more: object = {}): Buffer {
  const deliveryId = randomBytes(8).toString('hex')
  return Buffer.from(
    JSON.stringify(
      { deliveryId, type, storeId: 'sandbox', invoiceId, metadata: {}, ...more },
      null,
      2,
    ),
  )
}
const send = async (
  payload: Buffer,
  signature: string | undefined = signatureOf(secret, payload),
  url = WEBHOOK_PATH,
  type = 'application/json',
) =>
  app.send({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': type, ...(signature && { 'btcpay-sig': signature }) },
  })
const countUnhandled = async () =>
  (await app.database.pool.query('select 1 from webhook_inbox where handled_at is null')).rowCount
const waitForInbox = async () => {
  await expect.poll(countUnhandled, POLL_INTERVAL).toBe(0)
}

test('a webhook is received with any content type: what counts is its signature', async () => {
  const id = await invoiceOf(await app.register())
  for (const type of ['text/plain', 'application/octet-stream', 'application/x-other']) {
    const body = message(id)
    expect((await send(body, signatureOf(secret, body), WEBHOOK_PATH, type)).statusCode).toBe(200)
  }
  await waitForInbox()
})

test('a webhook credits a payment, and twenty of them at the same moment credit it once', async () => {
  const ana = await app.register()
  const id = await invoiceOf(ana)
  await silent.runCommand(id, 'pay', cents(2500))
  const one = message(id)
  const answers = await Promise.all([
    ...Array.from({ length: 20 }, () => send(one)),
    ...Array.from({ length: 20 }, () => send(message(id))),
  ])
  expect(answers.map(answer => [answer.statusCode, answer.body])).toEqual(
    answers.map(() => [200, '{"ok":true}']),
  )
  await expect.poll(() => balance(ana), POLL_INTERVAL).toBe(25)
  await waitForInbox()
  expect(await balance(ana)).toBe(25)
  expect(
    (await app.call(listDeposits, { params: { userId: ana.user._id }, query: {} }, ana.token)).body
      .totalCount,
  ).toBe(1)
  const { rows } = await app.database.pool.query(
    'select count(*)::int as n from webhook_inbox where invoice_ref = $1',
    [id],
  )
  expect(rows).toEqual([{ n: 21 }])
})

test('webhooks out of order, of unknown types or about expiry after payment reverse nothing', async () => {
  const ana = await app.register()
  const id = await invoiceOf(ana)
  await silent.runCommand(id, 'pay', cents(700))
  for (const type of [
    'InvoiceSettled',
    'InvoiceProcessing',
    'InvoiceCreated',
    'InvoiceExpired',
    'InvoiceInvalid',
    'InvoiceTeleported',
  ]) {
    expect(
      (
        await send(
          message(id, type, { overPaid: true, payment: { value: '500', status: 'Settled' } }),
        )
      ).statusCode,
    ).toBe(200)
    await waitForInbox()
    expect((await app.call(checkInvoice, { params: { id } }, ana.token)).body).toMatchObject({
      status: 'Settled',
      amount: 7,
    })
  }
  expect(await balance(ana)).toBe(7)
})

test('a webhook that is unsigned, signed by another key, altered, or compressed is refused with 401 and leaves no trace', async () => {
  const ana = await app.register()
  const id = await invoiceOf(ana)
  await silent.runCommand(id, 'pay', cents(900))
  const body = message(id)
  const packed = Buffer.from(JSON.stringify(JSON.parse(body.toString())))
  const signature = signatureOf(secret, body)
  const before = await tableChecksums(app.database)
  const tries: [Buffer, string][] = [
    [body, ''],
    [body, 'sha256='],
    [body, signature.slice(7)],
    [body, signatureOf('another secret', body)],
    [packed, signature],
    [Buffer.concat([body, Buffer.from(' ')]), signature],
    [Buffer.from('{'), signature],
    [Buffer.alloc(0), signature],
  ]
  for (const [payload, header] of tries) {
    expect(
      (
        await app.send({
          method: 'POST',
          url: WEBHOOK_PATH,
          payload,
          headers: { 'content-type': 'application/json', 'btcpay-sig': header },
        })
      ).statusCode,
    ).toBe(401)
  }
  // A body is its bytes, with any content type.
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
  ]) {
    const answer = await app.send({
      method: 'POST',
      url: WEBHOOK_PATH,
      payload: body,
      headers: { 'content-type': type },
    })
    expect([type, answer.statusCode]).toEqual([type, 401])
  }
  expect((await send(body, signature, '/api/payment/webhooks/btcpay')).statusCode).toBe(404)
  expect(await tableChecksums(app.database)).toEqual(before)
  expect(await balance(ana)).toBe(0)
})

test('a webhook of more than 64 KB is refused before it is read', async () => {
  const huge = message('x', 'InvoiceSettled', { padding: 'x'.repeat(70_000) })
  const before = await tableChecksums(app.database)
  expect((await send(huge)).statusCode).toBe(413)
  expect(await tableChecksums(app.database)).toEqual(before)
})

test('an unknown invoice, another store, and an invalid message are accepted and have no effect', async () => {
  const ana = await app.register()
  const id = await invoiceOf(ana)
  await silent.runCommand(id, 'pay', cents(100))
  const deep = Buffer.from('['.repeat(30_000) + ']'.repeat(30_000))
  for (const body of [
    message('never-made'),
    message(id, 'InvoiceSettled', { storeId: 'another' }),
    Buffer.from('not json'),
    deep,
  ]) {
    expect((await send(body)).statusCode).toBe(200)
  }
  await waitForInbox()
  expect(await balance(ana)).toBe(0)
})

test('another process continues a webhook whose receiver died, and one that cannot be processed stays in its place', async () => {
  const ana = await app.register()
  const id = await invoiceOf(ana)
  await silent.runCommand(id, 'pay', cents(1100))
  await app.database.pool.query(
    `insert into webhook_inbox (provider, delivery_id, body, invoice_ref, retry_at)
    values ('sandbox', 'left-behind', '{}', $1, now() - interval '1 second')`,
    [id],
  )
  await expect.poll(() => balance(ana), POLL_INTERVAL).toBe(11)
  await waitForInbox()

  /** A webhook that cannot be processed. The app tries it after half a minute; `isOpen`: it has not, and does not for an hour. */
  const leaveBehind = async () => {
    const bob = await app.register()
    const invoice = await invoiceOf(bob)
    await silent.runCommand(invoice, 'pay', cents(300))
    const broken = openWebhookInbox({
      ...app.ctx,
      limits: { countAttempt: async () => {} },
      provider: { ...silent, read: () => Promise.reject(new Error('on fire')) },
    })
    const body = message(invoice)
    await broken.receive('sandbox', body, signatureOf(secret, body))
    await broken.stop()
    const { rows } = await app.database.pool.query<{ open: boolean }>(
      `update webhook_inbox set retry_at = now() + interval '1 hour' where invoice_ref = $1
        returning handled_at is null as open`,
      [invoice],
    )
    return { bob, invoice, isOpen: rows[0]?.open }
  }
  let left = await leaveBehind()
  for (let tries = 1; left.isOpen === false && tries < 3; tries++) left = await leaveBehind()
  const kept = async () =>
    (
      await app.database.pool.query<{ open: boolean }>(
        'select handled_at is null as open from webhook_inbox where invoice_ref = $1',
        [left.invoice],
      )
    ).rows
  expect(await kept()).toEqual([{ open: true }])
  await app.database.pool.query(
    'update webhook_inbox set retry_at = now() where invoice_ref = $1',
    [left.invoice],
  )
  await expect.poll(() => balance(left.bob), POLL_INTERVAL).toBe(3)
})

test('a webhook names, by our reference, an invoice whose creation was never answered', async () => {
  const ana = await app.register()
  const {
    rows: [row],
  } = await app.database.pool.query<{ reference: string }>(
    `insert into invoice (user_id, provider, expires_at)
    values ($1, 'sandbox', now() + interval '15 minutes') returning reference`,
    [ana.user._id],
  )
  const { id, reference } = await silent.create({
    reference: row!.reference,
    requested: null,
  })
  await silent.runCommand(id, 'pay', cents(400))
  expect(
    (await send(message(id, 'InvoiceSettled', { metadata: { orderId: reference } }))).statusCode,
  ).toBe(200)
  await expect.poll(() => balance(ana), POLL_INTERVAL).toBe(4)
})

test('webhooks older than 30 days are deleted, newer ones stay', async () => {
  await app.database.pool
    .query(`insert into webhook_inbox (provider, delivery_id, body, received_at, handled_at) values
    ('sandbox', 'old', '{}', now() - interval '31 days', now()), ('sandbox', 'new', '{}', now() - interval '29 days', now())`)
  expect(await app.database.tx(tx => deleteOldDeliveries(tx, 100))).toBe(1)
  const { rows } = await app.database.pool.query(
    `select delivery_id as id from webhook_inbox where delivery_id in ('old', 'new')`,
  )
  expect(rows).toEqual([{ id: 'new' }])
})

test('while the database is unavailable a webhook is answered with 503, so that it is delivered again', async () => {
  const lonely = await testApp()
  const body = message('anything')
  const key = await sandboxProvider(lonely.ctx).webhooks.secret()
  // The first message is followed, so that the secret is known; then the line to the database is cut.
  const post = () =>
    lonely.send({
      method: 'POST',
      url: WEBHOOK_PATH,
      payload: body,
      headers: { 'btcpay-sig': signatureOf(key, body) },
    })
  expect((await post()).statusCode).toBe(200)
  const cut = lonely.database.tx
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  lonely.database.tx = () => Promise.reject(away)
  const { statusCode, headers } = await post()
  lonely.database.tx = cut
  expect([statusCode, headers['retry-after']]).toEqual([503, '5'])
})

const BAD_POST = [
  ['lost', { lost: 1 }],
  ['doubled', { twice: 1 }],
  ['out of order', { late: 0.5, seed: 3 }],
  ['that are lost, doubled or late', { lost: 0.3, twice: 0.3, late: 0.3 }],
] as const

test.each(BAD_POST)('with webhooks %s every sandbox payment is credited once', async (_, plan) => {
  const own: TestApp = await testApp({ env: { SANDBOX_PAYMENTS_FAULTS: JSON.stringify(plan) } })
  const provider = sandboxProvider({
    ...own.ctx,
    config: { ...own.ctx.config, sandboxPaymentsFaults: DeliveryPlan.parse(plan) },
  })
  provider.deliverWebhooksTo((payload, signature) =>
    own.send({
      method: 'POST',
      url: WEBHOOK_PATH,
      payload,
      headers: { 'btcpay-sig': signature },
    }),
  )
  const customers = await Promise.all(Array.from({ length: 4 }, () => own.register()))
  for (const [n, one] of customers.entries()) {
    const { id } = (await own.call(topUp, { params: { userId: one.user._id } }, one.token)).body
    await provider.runCommand(id, 'pay', cents(1000 + n))
  }
  // The poller looks each minute; here the minute is over at once.
  await own.database.pool.query('update invoice set next_lookup_at = now()')
  const balances = () =>
    Promise.all(
      customers.map(async one => (await own.call(verifySession, {}, one.token)).body.user.balance),
    )
  await expect.poll(balances, POLL_INTERVAL).toEqual([10, 10.01, 10.02, 10.03])
  await own.database.pool.query(
    'update webhook_inbox set retry_at = now() where handled_at is null',
  )
  const left = async () =>
    (await own.database.pool.query('select 1 from webhook_inbox where handled_at is null')).rowCount
  await expect.poll(left, POLL_INTERVAL).toBe(0)
  expect(await balances()).toEqual([10, 10.01, 10.02, 10.03])
})
