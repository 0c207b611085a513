/**
 * The product with a BTCPay Server that fails in many ways: what is confirmed there is credited
 * once.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, expect, test } from 'vitest'
import { setUserDetails, verifySession } from '#contract/accounts.ts'
import {
  checkInvoice,
  creditDeposit,
  listDepositsInReview,
  dismissDeposit,
  listDeposits,
  reverseDeposit,
  topUp,
} from '#contract/payments.ts'
import { btcpayProvider } from '#server/payments/btcpay/adapter.ts'
import { syncInvoice, getTopUpInvoice as begin } from '#server/payments/service.ts'
import type { PaymentsContext } from '#server/payments/service.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { btcpayStub } from '#tests/support/btcpay-stub.ts'
import type { BtcpayStubFault } from '#tests/support/btcpay-stub.ts'

const POLL_INTERVAL = { interval: 100 }
const stub = await btcpayStub()
const app = await testApp({ btcpay: stub.config })
stub.tellTo(await app.listen())
afterAll(stub.close)
afterEach(() => void Object.assign(stub.manners, { mood: 'well', post: 'once' }))
const admin = await app.admin()
const provider = btcpayProvider(stub.config)
const mute = await btcpayStub()
afterAll(mute.close)
mute.manners.mood = 'silent'
/** Begun here, so that the other tests need not wait for it. */
const unanswered = btcpayProvider(mute.config).read('x')
unanswered.catch(() => {})
const payments: PaymentsContext = { ...app.ctx, provider, limits: { countAttempt: async () => {} } }

const topUpFor = ({ user, token }: TestUser) =>
  app.call(topUp, { params: { userId: user._id } }, token)
const invoiceOf = async (visitor: TestUser) => (await topUpFor(visitor)).body.id
const currentUserOf = async ({ token }: TestUser) =>
  (await app.call(verifySession, {}, token)).body.user
/** The balance in cents. */
const balance = async (visitor: TestUser) =>
  Math.round((await currentUserOf(visitor)).balance * 100)
const check = async (visitor: TestUser, id: string) =>
  (await app.call(checkInvoice, { params: { id } }, visitor.token)).body
const deposits = async ({ user, token }: TestUser) =>
  (await app.call(listDeposits, { params: { userId: user._id }, query: {} }, token)).body.deposits
const waiting = async (id: string) =>
  (await app.call(listDepositsInReview, { query: {} }, admin.token)).body.deposits.find(
    deposit => deposit.invoiceId === id,
  )
const expectBalance = async (visitor: TestUser, due: number) => {
  await expect.poll(() => balance(visitor), POLL_INTERVAL).toBe(due)
}
const countUnhandled = async () =>
  (await app.database.pool.query('select 1 from webhook_inbox where handled_at is null')).rowCount
const waitForInbox = async () => {
  await expect.poll(countUnhandled, POLL_INTERVAL).toBe(0)
}

async function customer(): Promise<[TestUser, string]> {
  const visitor = await app.register()
  return [visitor, await invoiceOf(visitor)]
}

test('a payment is seen, waits for its block, and is credited as confirmed', async () => {
  const [ana, id] = await customer()
  expect(await stub.pay(id, 41_000n, { feeSats: 100n })).toEqual([200, 200])
  await waitForInbox()
  expect(await deposits(ana)).toMatchObject([
    { status: 'Processing', amount: 26.33, note: 'Payment received: waiting for confirmation' },
  ])
  expect(await balance(ana)).toBe(0)
  expect(await stub.confirm(id)).toEqual([200, 200])
  await expectBalance(ana, stub.confirmed(id))
  expect(await balance(ana)).toBe(2633)
  await waitForInbox()
  expect(await deposits(ana)).toMatchObject([{ status: 'Settled', amount: 26.33, note: null }])
  expect((await currentUserOf(ana)).totalDeposit).toBe(26.33)
})

test.each(['twice', 'backwards', 'never'] as const)(
  'with webhooks sent %s a payment is credited once',
  async post => {
    const [ana, id] = await customer()
    stub.manners.post = post
    await stub.pay(id, 100_000n)
    await stub.confirm(id)
    if (post === 'never')
      await app.database.pool.query(
        'update invoice set next_lookup_at = now() where external_id = $1',
        [id],
      )
    await expectBalance(ana, stub.confirmed(id))
    await waitForInbox()
    expect([await balance(ana), (await deposits(ana)).length]).toEqual([stub.confirmed(id), 1])
  },
)

test('paid in two coins and more than once: confirmed amounts are credited, the rest when confirmed', async () => {
  const [ana, id] = await customer()
  await stub.pay(id, 41_000n)
  await stub.pay(id, 150_000_000n, { method: 'LTC-CHAIN' })
  await stub.confirm(id, 1)
  await expectBalance(ana, 2640)
  expect(stub.paid(id)).toBeGreaterThan(stub.confirmed(id))
  expect((await check(ana, id)).status).toBe('Settled')
  await stub.confirm(id)
  await expectBalance(ana, stub.confirmed(id))
  expect((await deposits(ana))[0]!.note).toBe('Overpaid: the full amount was credited')
})

test('a payment that is replaced before its block reopens the invoice and leaves nothing', async () => {
  const [ana, id] = await customer()
  await stub.pay(id, 41_000n)
  await waitForInbox()
  await stub.drop(id)
  expect(await check(ana, id)).toMatchObject({ status: 'New', amount: 0 })
  await stub.pay(id, 50_000n)
  await stub.confirm(id)
  await expectBalance(ana, stub.confirmed(id))
})

test('a payment that is replaced after its owner opened a second invoice: both are still followed', async () => {
  const [ana, first] = await customer()
  await stub.pay(first, 41_000n)
  await waitForInbox()
  const second = await invoiceOf(ana)
  expect(second).not.toBe(first)
  await stub.drop(first)
  expect(await check(ana, first)).toMatchObject({ id: first, amount: 0 })
  await waitForInbox()
  await stub.pay(first, 50_000n)
  await stub.confirm(first)
  await expectBalance(ana, stub.confirmed(first))
  await stub.pay(second, 60_000n)
  await stub.confirm(second)
  await expectBalance(ana, stub.confirmed(first) + stub.confirmed(second))
})

test('a payment that no block ever confirms credits nothing', async () => {
  const [ana, id] = await customer()
  await stub.pay(id, 41_000n)
  await stub.giveUp(id)
  await waitForInbox()
  expect((await deposits(ana))[0]).toMatchObject({
    status: 'Invalid',
    note: 'The payment was never confirmed',
  })
  expect([await balance(ana), await waiting(id)]).toEqual([0, undefined])
})

test('late money waits for an operator, who credits its confirmed part, once', async () => {
  const [ana, id] = await customer()
  await stub.expire(id)
  await stub.pay(id, 41_000n)
  await waitForInbox()
  expect(await waiting(id)).toMatchObject({
    creditable: 0,
    owed: 0,
    note: 'Paid after expiry: in review',
  })
  expect((await app.call(creditDeposit, { params: { id } }, admin.token)).status).toBe(409)
  await stub.confirm(id)
  await waitForInbox()
  expect(await waiting(id)).toMatchObject({ creditable: 26.4 })
  const clicks = await Promise.all(
    [1, 2, 3].map(() => app.call(creditDeposit, { params: { id } }, admin.token)),
  )
  expect(clicks.map(click => click.status).toSorted()).toEqual([200, 409, 409])
  expect([await balance(ana), await waiting(id)]).toEqual([stub.confirmed(id), undefined])
  // More of it later is another decision.
  await stub.pay(id, 10_000n)
  await stub.confirm(id)
  await waitForInbox()
  expect(await waiting(id)).toMatchObject({ creditable: 6.44 })
})

test('marked as paid by the provider’s operator: what arrived is credited, and nothing if nothing arrived', async () => {
  const [ana, hers] = await customer()
  await stub.expire(hers)
  await stub.pay(hers, 41_000n)
  await stub.mark(hers, 'Settled')
  await expectBalance(ana, stub.paid(hers))

  const [bob, his] = await customer()
  await stub.mark(his, 'Settled')
  await waitForInbox()
  expect(await waiting(his)).toMatchObject({
    creditable: 0,
    note: 'Marked as paid without a payment: in review',
  })
  const dismiss = (body: { reason: string }) =>
    app.call(dismissDeposit, { params: { id: his }, body }, admin.token)
  expect((await dismiss({ reason: '   ' })).status).toBe(400)
  expect((await dismiss({ reason: 'a slip of the hand' })).status).toBe(200)
  expect((await dismiss({ reason: 'again' })).status).toBe(409)
  expect([await balance(bob), await waiting(his)]).toEqual([0, undefined])
  await check(bob, his)
  expect(await waiting(his)).toBeUndefined()
})

test('an undone mark: the operator reverses the credit as far as there is money, and the rest stays owed', async () => {
  const [ana, id] = await customer()
  await stub.pay(id, 100_000n)
  await stub.mark(id, 'Settled')
  await expectBalance(ana, 6439)
  // She has spent some of it.
  await app.call(
    setUserDetails,
    { params: { userId: ana.user._id }, body: { balance: 40, reason: 'spent' } },
    admin.token,
  )
  await stub.mark(id, 'Invalid')
  await waitForInbox()
  expect(await balance(ana)).toBe(4000)
  expect(await waiting(id)).toMatchObject({
    owed: 64.39,
    takeable: 40,
    note: 'Payment invalidated: in review',
  })
  const reverse = () => app.call(reverseDeposit, { params: { id } }, admin.token)
  const [first, ...others] = (await Promise.all([reverse(), reverse(), reverse()])).toSorted(
    (a, b) => a.status - b.status,
  )
  expect(first).toMatchObject({
    status: 200,
    body: { message: '$40.00 was reversed; $24.39 stays owed because the balance was too low' },
  })
  expect(others.map(({ status, body }) => [status, body.message])).toEqual(
    others.map(() => [409, 'The balance is empty: $24.39 of this deposit stays owed']),
  )
  expect(await balance(ana)).toBe(0)
  expect(await waiting(id)).toMatchObject({ owed: 24.39, takeable: 0 })
  // What comes in later settles the debt, at the operator's next click, and no more than that.
  await app.creditDollars(ana.user._id, 30)
  expect((await reverse()).body).toMatchObject({ message: '$24.39 was reversed' })
  expect([await balance(ana), await waiting(id), (await reverse()).status]).toEqual([
    561,
    undefined,
    409,
  ])
  expect((await deposits(ana)).find(deposit => deposit.invoiceId === id)!.note).toBe(
    'Payment invalidated: credit reversed',
  )
  // And if it was a mistake there, it is credited again.
  await stub.mark(id, 'Settled')
  await expectBalance(ana, 561 + 6439)
})

const STUB_FAULTS: BtcpayStubFault[] = ['down', 'html', 'rubbish', 'forbidden', 'moved']

test('while BTCPay Server is unavailable or invalid, customers are asked to try again, and nothing is lost', async () => {
  const people: [TestUser, string][] = []
  for (const mood of STUB_FAULTS) {
    const [ana, id] = await customer()
    people.push([ana, id])
    await stub.pay(id, 41_000n)
    await expect
      .poll(async () => (await deposits(ana))[0]!.status, POLL_INTERVAL)
      .toBe('Processing')
    stub.manners.mood = mood
    expect(await stub.confirm(id)).toEqual([200, 200])
    for (const answer of [
      await app.call(checkInvoice, { params: { id } }, ana.token),
      await topUpFor(await app.register()),
    ]) {
      expect([mood, answer.status, answer.body.message]).toEqual([
        mood,
        503,
        'The payment service is not available right now. Try again in a moment.',
      ])
    }
    expect(await balance(ana)).toBe(0)
    stub.manners.mood = 'well'
  }
  // What could not be followed waits for its next turn, which comes at once here.
  await app.database.pool.query(
    'update webhook_inbox set retry_at = now() where handled_at is null',
  )
  for (const [visitor, id] of people) await expectBalance(visitor, stub.confirmed(id))
})

test('an invoice whose response was lost is found again, not created twice', async () => {
  const ana = await app.register()
  stub.manners.mood = 'made-unanswered'
  expect((await topUpFor(ana)).status).toBe(503)
  stub.manners.mood = 'well'
  const id = await invoiceOf(ana)
  const { orderId } = stub.invoices.get(id)!
  expect([...stub.invoices.values()].filter(invoice => invoice.orderId === orderId)).toHaveLength(1)
  await stub.pay(id, 41_000n)
  await stub.confirm(id)
  await expectBalance(ana, 2640)
})

test('a process that dies right after creating the invoice leaves it to be found by the next read', async () => {
  const ana = await app.register()
  // It neither hears the answer nor gives its turn back.
  const hung = Promise.withResolvers<never>()
  const asked = Promise.withResolvers<string>()
  const dying: PaymentsContext = {
    ...payments,
    provider: {
      ...provider,
      create: async input => (asked.resolve((await provider.create(input)).id), hung.promise),
    },
  }
  void begin(dying, Number(ana.user._id)).catch(() => {})
  const id = await asked.promise
  await stub.pay(id, 41_000n)
  await stub.confirm(id)
  // Its turn is over after half a minute, and the poller looks each minute: both are over at once here.
  await app.database.pool.query(
    'update invoice set creating_until = now(), next_lookup_at = now() where user_id = $1',
    [ana.user._id],
  )
  await expectBalance(ana, 2640)
  expect(await deposits(ana)).toMatchObject([{ invoiceId: id, status: 'Settled' }])
  expect(
    [...stub.invoices.values()].filter(
      invoice => invoice.orderId === stub.invoices.get(id)!.orderId,
    ),
  ).toHaveLength(1)
})

/** The payment service has lost this invoice; the answer brings it back. */
function deleteInvoice(id: string): () => void {
  const invoice = stub.invoices.get(id)!
  stub.invoices.delete(id)
  return () => void stub.invoices.set(id, invoice)
}

test('an invoice that the provider has lost stops no payment: there is another one, and the operator is told', async () => {
  const [ana, id] = await customer()
  deleteInvoice(id)
  const clicks = await Promise.all([1, 2, 3].map(() => topUpFor(ana)))
  expect(clicks.map(({ status }) => status)).toEqual([200, 200, 200])
  const [next] = new Set(clicks.map(({ body }) => body.id))
  expect(new Set([id, ...clicks.map(({ body }) => body.id)]).size).toBe(2)
  expect(await check(ana, id)).toMatchObject({
    status: 'Expired',
    note: 'Lost by the payment service: in review',
  })
  expect(await waiting(id)).toMatchObject({ amount: 0, creditable: 0, takeable: 0 })
  expect((await app.call(creditDeposit, { params: { id } }, admin.token)).status).toBe(409)
  const body = { reason: 'The server was set up anew' }
  expect((await app.call(dismissDeposit, { params: { id }, body }, admin.token)).status).toBe(200)
  await syncInvoice(payments, await rowOf(id))
  expect(await waiting(id)).toBeUndefined()
  await stub.pay(next!, 41_000n)
  await stub.confirm(next!)
  await expectBalance(ana, 2640)
})

test('an invoice that comes back after it was lost counts for what was paid into it, once', async () => {
  const [ana, id] = await customer()
  const back = deleteInvoice(id)
  const next = await invoiceOf(ana)
  await stub.pay(next, 41_000n)
  await stub.confirm(next)
  await expectBalance(ana, 2640)
  back()
  await stub.pay(id, 100_000n)
  await stub.confirm(id)
  await expectBalance(ana, 2640 + stub.confirmed(id))
  expect(await waiting(id)).toBeUndefined()
  const due = await balance(ana)
  const backAgain = deleteInvoice(id)
  for (const lookAgain of [() => {}, backAgain, () => {}]) {
    lookAgain()
    expect(await check(ana, id)).toMatchObject({ status: 'Settled' })
    expect(await balance(ana)).toBe(due)
  }
})

test('a payment that was seen before its invoice was lost waits for the operator', async () => {
  const [ana, id] = await customer()
  await stub.pay(id, 41_000n)
  await waitForInbox()
  const back = deleteInvoice(id)
  expect(await check(ana, id)).toMatchObject({ status: 'Invalid', amount: 26.4 })
  expect(await waiting(id)).toMatchObject({ amount: 26.4, creditable: 0 })
  expect(await invoiceOf(ana)).not.toBe(id)
  back()
  await stub.confirm(id)
  await expectBalance(ana, 2640)
  expect(await waiting(id)).toBeUndefined()
})

test('an invoice that the provider still lists is not lost, and its payments are credited', async () => {
  const [ana, id] = await customer()
  const blind = { ...payments, provider: { ...provider, read: async () => null } }
  expect(await syncInvoice(blind, await rowOf(id))).toMatchObject({ status: 'New', lostAt: null })
  stub.manners.post = 'never'
  await stub.pay(id, 41_000n)
  await stub.confirm(id)
  expect(await syncInvoice(blind, await rowOf(id))).toMatchObject({
    status: 'Settled',
    lostAt: null,
  })
  expect(await balance(ana)).toBe(2640)
})

test('with another store’s id in the configuration no invoice counts as lost', async () => {
  const [ana, id] = await customer()
  const elsewhere = { ...payments, provider: btcpayProvider({ ...stub.config, storeId: 'Store2' }) }
  await expect(syncInvoice(elsewhere, await rowOf(id))).rejects.toMatchObject({
    code: 'unavailable',
  })
  expect(await check(ana, id)).toMatchObject({ status: 'New', note: null })
})

test('with a wrong key or an unknown store no invoice is created', async () => {
  const ana = await app.register()
  const elsewhere = btcpayProvider({ ...stub.config, storeId: 'Store2' })
  await expect(elsewhere.findByReference(randomUUID())).rejects.toThrow('has no store Store2')
  await expect(elsewhere.create({ reference: randomUUID() })).rejects.toThrow('says what cannot be')
  const other = btcpayProvider({ ...stub.config, apiKey: randomUUID() })
  await expect(begin({ ...payments, provider: other }, Number(ana.user._id))).rejects.toMatchObject(
    { code: 'unavailable' },
  )
})

test('a request without a response ends after ten seconds', async () => {
  await expect(unanswered).rejects.toThrow(
    'BTCPay Server did not answer GET /invoices/x within 10 seconds',
  )
})

test('the key is in no line of the log, and the operator reads what to do', async () => {
  const said: string[] = []
  const tell = (...words: unknown[]) => void said.push(JSON.stringify(words))
  const log = { debug: tell, info: tell, warn: tell, error: tell }
  for (const mood of ['down', 'html', 'rubbish', 'forbidden', 'moved'] as const) {
    stub.manners.mood = mood
    const [ana] = [await app.register()]
    await expect(begin({ ...payments, log }, Number(ana.user._id))).rejects.toMatchObject({
      code: 'unavailable',
    })
  }
  stub.manners.mood = 'well'
  const text = said.join('\n')
  expect(text).not.toContain(stub.config.apiKey)
  for (const words of [
    'could not be asked',
    '502 Bad Gateway',
    'says what cannot be',
    'lacks a permission',
    'BTCPAY_URL',
  ]) {
    expect(text).toContain(words)
  }
})

test('a version that does not report paid amounts is added up, to the same cents', async () => {
  const old = await btcpayStub({ tellsPaid: false })
  try {
    const before212 = btcpayProvider(old.config)
    const { id } = await before212.create({ reference: randomUUID() })
    await old.pay(id, 41_000n, { feeSats: 100n })
    expect(await before212.read(id)).toMatchObject({
      status: 'Processing',
      paid: 2633,
      confirmed: 0,
    })
    await old.confirm(id)
    expect(await before212.read(id)).toMatchObject({
      status: 'Settled',
      paid: 2633,
      confirmed: 2633,
    })
    expect(await before212.read('unknown')).toBeNull()
    expect(await before212.findByReference(randomUUID())).toBeNull()
  } finally {
    await old.close()
  }
})

test('pages admit the provider for script, frame and requests, and no other origin', async () => {
  const { headers } = await app.send({ url: '/main/deposit' })
  const lines = Object.fromEntries(
    String(headers['content-security-policy'])
      .split('; ')
      .map(line => {
        const [name, ...sources] = line.split(' ')
        return [name, sources.filter(source => !source.startsWith("'sha256-"))]
      }),
  )
  expect(lines).toMatchObject({
    'script-src': ["'self'", stub.url],
    'frame-src': ["'self'", stub.url],
    'img-src': ["'self'", 'data:', 'blob:'],
  })
  const about = JSON.parse((await app.send({ url: '/api/house' })).body)
  expect(about).toMatchObject({
    paymentScript: `${stub.url}/modal/btcpay.js`,
    sandbox: { payments: false },
  })
  // Sandbox pages do not exist in live mode.
  expect((await app.send({ url: '/sandbox-pay/modal/btcpay.js' })).statusCode).toBe(404)
  expect(
    (await app.send({ method: 'POST', url: '/api/sandbox/invoices/x/pay', payload: { amount: 5 } }))
      .statusCode,
  ).toBe(404)
  expect(
    (await app.send({ method: 'POST', url: '/api/payment/webhooks/sandbox', payload: {} }))
      .statusCode,
  ).toBe(404)
})

const rowOf = async (externalId: string): Promise<number> =>
  (
    await app.database.pool.query<{ id: number }>('select id from invoice where external_id = $1', [
      externalId,
    ])
  ).rows[0]!.id
