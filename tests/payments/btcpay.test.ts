/** Payments through BTCPay Server: what is confirmed there is credited once. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { setUserDetails } from '#contract/accounts.ts'
import { cents, usd } from '#contract/money.ts'
import { creditDeposit, dismissDeposit, reverseDeposit, topUp } from '#contract/payments.ts'
import { btcpayProvider } from '#server/payments/btcpay/adapter.ts'
import { btcpayStub } from '#tests/support/btcpay-stub.ts'
import { openBtcpay } from './btcpay-fixture.ts'

const {
  stub,
  app,
  admin,
  invoiceOf,
  currentUserOf,
  balance,
  check,
  deposits,
  waiting,
  expectBalance,
  waitForInbox,
  customer,
} = await openBtcpay()

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
  const further = usd(cents(stub.paid(id) - 2640))
  const partly = { status: 'Settled', amount: stub.paid(id) / 100, credited: 26.4 }
  const note = `A further payment of ${further} is waiting for confirmation`
  expect(await check(ana, id)).toMatchObject({ ...partly, note })
  expect((await deposits(ana))[0]).toMatchObject({ ...partly, note })
  await stub.confirm(id)
  await expectBalance(ana, stub.confirmed(id))
  expect((await deposits(ana))[0]!.note).toBe('Overpaid: the full amount was credited')
})

test('of an invoice for an amount less is credited too, after its block', async () => {
  const ana = await app.register()
  const { body: invoice } = await app.call(
    topUp,
    { params: { userId: ana.user._id }, query: { amount: 50 } },
    ana.token,
  )
  await stub.pay(invoice.id, 100n)
  expect(await check(ana, invoice.id)).toMatchObject({ status: 'New', amount: 0.06 })
  await stub.pay(invoice.id, 41_000n)
  expect(await check(ana, invoice.id)).toMatchObject({ status: 'Processing', requested: 50 })
  expect(await balance(ana)).toBe(0)
  await stub.confirm(invoice.id)
  await expectBalance(ana, 2646)
  expect((await deposits(ana))[0]).toMatchObject({
    status: 'Settled',
    note: '$26.46 of $50.00 arrived and was credited',
  })
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

  const [bob, bobsInvoice] = await customer()
  await stub.mark(bobsInvoice, 'Settled')
  await waitForInbox()
  expect(await waiting(bobsInvoice)).toMatchObject({
    creditable: 0,
    note: 'Marked as paid without a payment: in review',
  })
  const dismiss = (body: { reason: string }) =>
    app.call(dismissDeposit, { params: { id: bobsInvoice }, body }, admin.token)
  expect((await dismiss({ reason: '   ' })).status).toBe(400)
  expect((await dismiss({ reason: 'a slip of the hand' })).status).toBe(200)
  expect((await dismiss({ reason: 'again' })).status).toBe(409)
  expect([await balance(bob), await waiting(bobsInvoice)]).toEqual([0, undefined])
  await check(bob, bobsInvoice)
  expect(await waiting(bobsInvoice)).toBeUndefined()
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

test('a version that does not report paid amounts is added up, to the same cents', async () => {
  const old = await btcpayStub({ tellsPaid: false })
  try {
    const before212 = btcpayProvider(old.config)
    const { id } = await before212.create({ reference: randomUUID(), requested: null })
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
    'script-src': ["'self'", `${stub.url}/modal/btcpay.js`],
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
