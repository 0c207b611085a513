/** A BTCPay Server that is unavailable, slow or set up wrongly: no payment is lost. */
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { checkInvoice } from '#contract/payments.ts'
import { btcpayProvider } from '#server/payments/btcpay/adapter.ts'
import { getTopUpInvoice as begin } from '#server/payments/service.ts'
import type { PaymentsContext } from '#server/payments/service.ts'
import type { TestUser } from '#tests/support/app.ts'
import { btcpayStub } from '#tests/support/btcpay-stub.ts'
import type { BtcpayStubFault } from '#tests/support/btcpay-stub.ts'
import { openBtcpay, POLL_INTERVAL } from './btcpay-fixture.ts'

const {
  stub,
  app,
  provider,
  payments,
  topUpFor,
  invoiceOf,
  balance,
  deposits,
  expectBalance,
  customer,
} = await openBtcpay()

const mute = await btcpayStub()
afterAll(mute.close)
mute.manners.mood = 'silent'
/** Begun here, so that the other tests need not wait for it. */
const unanswered = btcpayProvider(mute.config).read('x')
unanswered.catch(() => {})

const STUB_FAULTS: BtcpayStubFault[] = ['down', 'html', 'rubbish', 'endless', 'forbidden', 'moved']

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

test('with a wrong key or an unknown store no invoice is created', async () => {
  const ana = await app.register()
  const elsewhere = btcpayProvider({ ...stub.config, storeId: 'Store2' })
  await expect(elsewhere.findByReference(randomUUID())).rejects.toThrow('has no store Store2')
  await expect(elsewhere.create({ reference: randomUUID(), requested: null })).rejects.toThrow(
    'sent an invalid response',
  )
  const other = btcpayProvider({ ...stub.config, apiKey: randomUUID() })
  await expect(begin({ ...payments, provider: other }, Number(ana.user._id))).rejects.toMatchObject(
    { code: 'payments_unavailable' },
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
  for (const mood of STUB_FAULTS) {
    stub.manners.mood = mood
    const [ana] = [await app.register()]
    await expect(begin({ ...payments, log }, Number(ana.user._id))).rejects.toMatchObject({
      code: 'payments_unavailable',
    })
  }
  stub.manners.mood = 'well'
  const text = said.join('\n')
  expect(text).not.toContain(stub.config.apiKey)
  for (const words of [
    'could not be reached',
    '502 Bad Gateway',
    'sent an invalid response',
    'the answer has more than 4 MB',
    'lacks a permission',
    'BTCPAY_URL',
  ]) {
    expect(text).toContain(words)
  }
})
