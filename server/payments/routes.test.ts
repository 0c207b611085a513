import { expect, test } from 'vitest'
import {
  checkInvoice,
  creditDeposit,
  listDepositsInReview,
  listDeposits,
  recentDeposits,
  sandboxExpire,
  sandboxPay,
  sandboxPayLate,
  topUp,
} from '#contract/payments.ts'
import type { Invoice } from '#contract/payments.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'

const app = await testApp()
const admin = await app.admin()

const invoiceOf = async ({ user, token }: TestUser): Promise<string> => {
  const { status, body, headers } = await app.call(topUp, { params: { userId: user._id } }, token)
  expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
  return body.id
}
const depositsOf = async ({ user, token }: TestUser) =>
  (await app.call(listDeposits, { params: { userId: user._id }, query: {} }, token)).body

test('a sandbox payment is credited with the response, and an invoice is paid once', async () => {
  const ana = await app.register()
  const id = await invoiceOf(ana)
  expect(await invoiceOf(ana)).toBe(id)
  const answers = await Promise.all(
    [1, 2, 3].map(() =>
      app.call(sandboxPay, { params: { id }, body: { amount: 49.5 } }, ana.token),
    ),
  )
  expect(answers.map(answer => answer.status).sort()).toEqual([200, 409, 409])
  expect(answers.find(answer => answer.status === 200)!.body).toMatchObject({
    ok: true,
    invoice: { id, status: 'Settled', amount: 49.5 },
  })
  const { deposits, totalCount } = await depositsOf(ana)
  expect(totalCount).toBe(1)
  expect(deposits[0]).toMatchObject({ invoiceId: id, amount: 49.5, status: 'Settled', note: null })
  const { invoice } = answers.find(answer => answer.status === 200)!.body as { invoice: Invoice }
  expect(invoice.number).toBe(deposits[0]!._id)
  expect(Math.abs(deposits[0]!.createdTime - Date.now() / 1000)).toBeLessThan(3600)
  expect(await invoiceOf(ana)).not.toBe(id)
})

test('an expired invoice can only be paid late, and then an operator decides', async () => {
  const ana = await app.register()
  const id = await invoiceOf(ana)
  expect(
    (await app.call(sandboxPayLate, { params: { id }, body: { amount: 5 } }, ana.token)).status,
  ).toBe(409)
  expect((await app.call(sandboxExpire, { params: { id } }, ana.token)).body.invoice.status).toBe(
    'Expired',
  )
  expect((await app.call(sandboxExpire, { params: { id } }, ana.token)).status).toBe(200)
  const refused = await app.call(sandboxPay, { params: { id }, body: { amount: 5 } }, ana.token)
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('pay-late')])
  const late = await app.call(sandboxPayLate, { params: { id }, body: { amount: 5 } }, ana.token)
  expect(late.body.invoice).toMatchObject({
    status: 'Expired',
    amount: 5,
    note: 'Paid after expiry: in review',
  })
  expect(
    (await app.call(sandboxPayLate, { params: { id }, body: { amount: 5 } }, ana.token)).status,
  ).toBe(409)

  expect((await app.call(listDepositsInReview, { query: {} }, ana.token)).status).toBe(403)
  const { body } = await app.call(listDepositsInReview, { query: {} }, admin.token)
  expect(body.deposits).toMatchObject([
    { invoiceId: id, creditable: 5, userId: ana.user._id, userEmail: ana.user.email },
  ])
  expect((await app.call(creditDeposit, { params: { id } }, ana.token)).status).toBe(403)
  const credited = await app.call(creditDeposit, { params: { id } }, admin.token)
  expect(credited.body.deposit.note).toBe('Paid after expiry: credited after review')
  expect((await app.call(creditDeposit, { params: { id } }, admin.token)).status).toBe(409)
})

test('invalid amounts are refused and nothing is paid', async () => {
  const ana = await app.register()
  const id = await invoiceOf(ana)
  const amounts = ['0', '-5', '1.005', '1e309', '"5"', '100000.01']
  const bodies = [...amounts.map(amount => `{"amount":${amount}}`), '{}', '[]']
  for (const payload of bodies) {
    const answer = await app.send({
      method: 'POST',
      url: `/api/sandbox/invoices/${id}/pay`,
      headers: { token: ana.token, 'content-type': 'application/json' },
      payload,
    })
    expect([answer.statusCode, payload]).toEqual([400, payload])
  }
  expect((await app.call(checkInvoice, { params: { id } }, ana.token)).body).toMatchObject({
    status: 'New',
    amount: 0,
  })
  expect(
    (await app.call(sandboxPay, { params: { id }, body: { amount: 100_000 } }, ana.token)).status,
  ).toBe(200)
})

test('users cannot pay, read or expire the invoice of another user; an administrator can', async () => {
  const [ana, bob] = [await app.register(), await app.register()]
  const id = await invoiceOf(ana)
  expect(
    (await app.call(sandboxPay, { params: { id }, body: { amount: 5 } }, bob.token)).status,
  ).toBe(404)
  expect((await app.call(sandboxExpire, { params: { id } }, bob.token)).status).toBe(404)
  expect((await app.call(checkInvoice, { params: { id } }, bob.token)).status).toBe(404)
  expect(
    (await app.call(sandboxPay, { params: { id: 'sbx-none' }, body: { amount: 5 } }, ana.token))
      .status,
  ).toBe(404)
  expect(
    (await app.call(listDeposits, { params: { userId: ana.user._id }, query: {} }, bob.token))
      .status,
  ).toBe(403)
  expect((await app.call(topUp, { params: { userId: ana.user._id } }, bob.token)).status).toBe(403)
  expect(
    (await app.call(sandboxPay, { params: { id }, body: { amount: 5 } }, admin.token)).status,
  ).toBe(200)
  expect((await depositsOf(ana)).deposits[0]!.amount).toBe(5)
})

test('a guest has no balance to top up, signed in or not', async () => {
  const ana = await app.register()
  expect((await app.send({ url: '/api/payment/top-up/guest' })).statusCode).toBe(401)
  expect(
    (await app.send({ url: '/api/payment/top-up/guest', headers: { token: ana.token } }))
      .statusCode,
  ).toBe(401)
  expect(
    (await app.send({ url: '/api/payment/top-up/guest', headers: { token: admin.token } }))
      .statusCode,
  ).toBe(401)
})

test('deposits come seven a page, filtered by status, and the newest on the dashboard', async () => {
  const ana = await app.register()
  for (let n = 1; n <= 9; n++) {
    const id = await invoiceOf(ana)
    if (n % 3 === 0) await app.call(sandboxExpire, { params: { id } }, ana.token)
    else await app.call(sandboxPay, { params: { id }, body: { amount: n } }, ana.token)
  }
  const page = async (query: object) =>
    (await app.call(listDeposits, { params: { userId: ana.user._id }, query }, ana.token)).body
  expect(await page({})).toMatchObject({
    totalCount: 9,
    deposits: Array.from({ length: 7 }, () => ({})),
  })
  expect((await page({ page: 2 })).deposits.map(deposit => deposit.amount)).toEqual([2, 1])
  expect(await page({ filter: 'Expired', limit: 2 })).toMatchObject({
    totalCount: 3,
    deposits: [{ status: 'Expired' }, { status: 'Expired' }],
  })
  const recent = await app.call(
    recentDeposits,
    { params: { userId: ana.user._id }, query: { limit: 3 } },
    ana.token,
  )
  expect(recent.body.map(deposit => deposit.amount)).toEqual([0, 8, 7])
})

test('the sandbox payment dialog has its own content security policy, for our pages only', async () => {
  const { body } = await app.send({ url: '/api/house' })
  expect(JSON.parse(body).paymentScript).toBe('/sandbox-pay/modal/btcpay.js')
  const script = await app.send({ url: '/sandbox-pay/modal/btcpay.js' })
  expect([script.statusCode, script.headers['content-type']]).toEqual([
    200,
    'text/javascript; charset=utf-8',
  ])
  const page = await app.send({ url: '/sandbox-pay/invoice?id=sbx1&view=modal' })
  expect(page.body).toContain('Sandbox: no real Bitcoin')
  expect(page.headers['content-security-policy']).toMatch(
    /default-src 'none'.*frame-ancestors 'self'/,
  )
  for (const [, url] of page.body.matchAll(/(?:src|href)="([^"]+)"/g)) {
    expect((await app.send({ url: url! })).statusCode, url).toBe(200)
  }
})
