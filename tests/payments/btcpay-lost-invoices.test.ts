/** Invoices that BTCPay Server has lost: the operator sees them, and later payments count. */
import { expect, test } from 'vitest'
import { creditDeposit, dismissDeposit, topUp } from '#contract/payments.ts'
import { btcpayProvider } from '#server/payments/btcpay/adapter.ts'
import { syncInvoice } from '#server/payments/service.ts'
import type { TestUser } from '#tests/support/app.ts'
import { openBtcpay } from './btcpay-fixture.ts'

const {
  stub,
  app,
  admin,
  provider,
  payments,
  topUpFor,
  invoiceOf,
  balance,
  check,
  waiting,
  expectBalance,
  waitForInbox,
  customer,
  rowOf,
} = await openBtcpay()

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
  const body = { reason: 'The server was set up again' }
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

/** An invoice that its customer set aside by naming another amount. */
async function setAside(): Promise<[TestUser, string]> {
  const ana = await app.register()
  const ask = async (amount: number) =>
    (await app.call(topUp, { params: { userId: ana.user._id }, query: { amount } }, ana.token)).body
  const { id } = await ask(50)
  await ask(80)
  return [ana, id]
}

test('a lost invoice of an earlier amount is told to the operator, once', async () => {
  const [ana, id] = await setAside()
  deleteInvoice(id)
  const note = 'Lost by the payment service: in review'
  expect(await check(ana, id)).toMatchObject({ status: 'Expired', note })
  expect(await waiting(id)).toMatchObject({ amount: 0, creditable: 0, takeable: 0 })
  const body = { reason: 'The server was set up again' }
  expect((await app.call(dismissDeposit, { params: { id }, body }, admin.token)).status).toBe(200)
  expect(await check(ana, id)).toMatchObject({ note: 'Lost by the payment service' })
  expect(await waiting(id)).toBeUndefined()
})

test('a lost invoice of an earlier amount that was not looked up after its expiry is told as well', async () => {
  const [ana, id] = await setAside()
  await app.database.pool.query(
    "update invoice set synced_at = now() - interval '2 minutes', expires_at = now() - interval '1 minute' where external_id = $1",
    [id],
  )
  deleteInvoice(id)
  expect(await check(ana, id)).toMatchObject({ note: 'Lost by the payment service: in review' })
  expect(await waiting(id)).toBeDefined()
})

test('an invoice that is lost after it expired unpaid is nothing to review, and its customer reads nothing of it', async () => {
  const [ana, id] = await setAside()
  await stub.expire(id)
  await waitForInbox()
  deleteInvoice(id)
  expect(await check(ana, id)).toMatchObject({
    status: 'Expired',
    note: null,
  })
  expect(await waiting(id)).toBeUndefined()
})

test('with another store’s id in the configuration no invoice counts as lost', async () => {
  const [ana, id] = await customer()
  const elsewhere = { ...payments, provider: btcpayProvider({ ...stub.config, storeId: 'Store2' }) }
  await expect(syncInvoice(elsewhere, await rowOf(id))).rejects.toMatchObject({
    code: 'payments_unavailable',
  })
  expect(await check(ana, id)).toMatchObject({ status: 'New', note: null })
})
