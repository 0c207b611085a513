import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import {
  checkInvoice,
  listDeposits,
  listDepositsInReview,
  sandboxExpire,
  sandboxPay,
  sandboxPayLate,
  topUp,
} from '#contract/payments.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'

const app = await testApp()
const admin = await app.admin()

const ask = ({ user, token }: TestUser, amount?: number) =>
  app.call(topUp, { params: { userId: user._id }, query: { amount } }, token)
const pay = (id: string, amount: number, { token }: TestUser) =>
  app.call(sandboxPay, { params: { id }, body: { amount } }, token)
const depositsOf = async ({ user, token }: TestUser) =>
  (await app.call(listDeposits, { params: { userId: user._id }, query: {} }, token)).body.deposits
const balanceOf = async ({ token }: TestUser) =>
  (await app.call(verifySession, {}, token)).body.user.balance

test('an invoice asks for the amount that the customer named, and is found again', async () => {
  const ana = await app.register()
  const { body: invoice } = await ask(ana, 100)
  expect(invoice).toMatchObject({ status: 'New', requested: 100, amount: 0 })
  expect((await ask(ana, 100)).body.id).toBe(invoice.id)
  expect((await ask(ana)).body.id).toBe(invoice.id)
  expect(await depositsOf(ana)).toMatchObject([{ status: 'New', amount: 0, requested: 100 }])
})

test.each([
  ['less', 60, 'Settled', '$60.00 of $100.00 arrived and was credited'],
  ['exactly that', 100, 'Settled', null],
  ['more', 120, 'Settled', 'Overpaid: the full amount was credited'],
])('of an invoice for $100 %s is paid, and that is credited', async (_, paid, status, note) => {
  const ana = await app.register()
  const { body: invoice } = await ask(ana, 100)
  const { body } = await pay(invoice.id, paid, ana)
  expect(body.invoice).toMatchObject({ status, amount: paid, requested: 100, note })
  expect(await balanceOf(ana)).toBe(paid)
})

test('a payment below 1% leaves the invoice open, and after expiry an operator decides', async () => {
  const ana = await app.register()
  const { body: invoice } = await ask(ana, 100)
  const { body } = await pay(invoice.id, 0.5, ana)
  expect(body).toMatchObject({
    message: '$0.50 received: too little to be counted',
    invoice: { status: 'New', amount: 0.5, note: '$0.50 received: too little to be counted' },
  })
  expect(await balanceOf(ana)).toBe(0)
  await app.call(sandboxExpire, { params: { id: invoice.id } }, ana.token)
  expect(await depositsOf(ana)).toMatchObject([
    { status: 'Expired', amount: 0.5, note: 'Partly paid before expiry: in review' },
  ])
  const { body: review } = await app.call(listDepositsInReview, { query: {} }, admin.token)
  expect(review.deposits).toMatchObject([{ invoiceId: invoice.id, creditable: 0.5 }])
})

test('an expired invoice that is paid late is not credited, although it is the amount', async () => {
  const ana = await app.register()
  const { body: invoice } = await ask(ana, 100)
  await app.call(sandboxExpire, { params: { id: invoice.id } }, ana.token)
  const late = { params: { id: invoice.id }, body: { amount: 100 } }
  expect((await app.call(sandboxPayLate, late, ana.token)).body.invoice).toMatchObject({
    status: 'Expired',
    amount: 100,
    note: 'Paid after expiry: in review',
  })
  expect(await balanceOf(ana)).toBe(0)
})

test('another amount gets another invoice, and the first one is still credited when it is paid', async () => {
  const ana = await app.register()
  const { body: first } = await ask(ana, 50)
  const { body: second } = await ask(ana, 500)
  expect(second).toMatchObject({ requested: 500, status: 'New' })
  expect(second.id).not.toBe(first.id)
  const check = { params: { id: first.id } }
  expect((await app.call(checkInvoice, check, ana.token)).body.status).toBe('Expired')
  expect((await ask(ana, 500)).body.id).toBe(second.id)
  await pay(first.id, 50, ana)
  expect(await balanceOf(ana)).toBe(50)
  await pay(second.id, 500, ana)
  expect(await balanceOf(ana)).toBe(550)
  expect(await depositsOf(ana)).toMatchObject([
    { status: 'Settled', amount: 500 },
    { status: 'Settled', amount: 50 },
  ])
})

test('simultaneous requests for one amount get one invoice, also after another amount', async () => {
  const ana = await app.register()
  await ask(ana, 50)
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(ana, 100)))
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  const open = (await depositsOf(ana)).filter(({ status }) => status === 'New')
  expect(open).toHaveLength(1)
})

test('an amount that no invoice can ask for is refused and creates none', async () => {
  const ana = await app.register()
  for (const amount of [0, -5, 0.99, 100_000.01, 5.001, Number.NaN, 'fifty' as never]) {
    const { status, body } = await ask(ana, amount)
    expect([amount, status, Object.keys((body as never as { errors: object }).errors)]).toEqual([
      amount,
      400,
      ['amount'],
    ])
  }
  expect(await depositsOf(ana)).toEqual([])
})

test('twenty changes of the amount in a day are enough, and the open invoice can still be paid', async () => {
  const ana = await app.register()
  for (let amount = 1; amount <= 21; amount++) expect((await ask(ana, amount)).status).toBe(200)
  const refused = await ask(ana, 22)
  expect([refused.status, (refused.body as never as { message: string }).message]).toEqual([
    429,
    'The amount can be changed 20 times a day. Pay the open invoice with any amount, or name another amount after it has expired.',
  ])
  const { body: open } = await ask(ana, 21)
  expect(open.requested).toBe(21)
  await pay(open.id, 22, ana)
  expect(await balanceOf(ana)).toBe(22)
  expect((await ask(ana, 22)).body).toMatchObject({ status: 'New', requested: 22 })
})
