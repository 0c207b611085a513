import { expect, test } from 'vitest'
import { register, setUserDetails, setUserRole, verifySession } from '#contract/accounts.ts'
import type { RequestInput } from '#contract/endpoint.ts'
import { statement } from '#contract/ledger.ts'
import { placeOrder } from '#contract/orders.ts'
import { PASSWORD, testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { singleOrderBody } from '#tests/support/rows.ts'

const app = await testApp()
const admin = await app.admin()
type Details = RequestInput<typeof setUserDetails>['body']
const set = (of: TestUser, body: Details, token = admin.token) =>
  app.call(setUserDetails, { params: { userId: of.user._id }, body }, token)
const customer = async (dollars: number): Promise<TestUser> => {
  const visitor = await app.register()
  if (dollars > 0) await app.creditDollars(visitor.user._id, dollars)
  return visitor
}
const balanceOf = async (of: TestUser) =>
  (await app.call(verifySession, {}, of.token)).body.user.balance
const entries = async (of: TestUser) =>
  (await app.call(statement, { params: { userId: of.user._id }, query: {} }, of.token)).body.entries
const audited = async (of: TestUser) =>
  (
    await app.database.pool.query(
      `select action, detail, actor_id as actor from audit_entry
        where subject_id = $1 and action in ('adjusted', 'referral-code') order by id`,
      [of.user._id],
    )
  ).rows

test('a balance is set to a new value: the difference is booked with its reason and shown on the statement', async () => {
  const ana = await customer(10)
  const { status, body } = await set(ana, { balance: 25, reason: ' goodwill ' })
  expect([status, body.message, body.user.balance]).toEqual([
    200,
    'User details updated successfully!',
    25,
  ])
  expect(await balanceOf(ana)).toBe(25)
  expect((await entries(ana))[0]).toMatchObject({
    kind: 'adjust_up',
    amount: 15,
    balance: 25,
    note: 'goodwill',
  })
  expect(await audited(ana)).toEqual([
    {
      action: 'adjusted',
      actor: Number(admin.user._id),
      detail: { from: 10, to: 25, difference: 15, reason: 'goodwill' },
    },
  ])
})

test('a balance can be lowered to the cent, down to zero', async () => {
  const ana = await customer(10.1)
  await set(ana, { balance: 0.3 })
  expect((await entries(ana))[0]).toMatchObject({
    kind: 'adjust_down',
    amount: -9.8,
    balance: 0.3,
    note: 'Set by an administrator',
  })
  await set(ana, { balance: 0, reason: '  ' })
  expect((await entries(ana))[0]).toMatchObject({
    kind: 'adjust_down',
    amount: -0.3,
    balance: 0,
    note: 'Set by an administrator',
  })
})

test('an adjustment counts neither as deposit nor as spent', async () => {
  const ana = await customer(10)
  const { body } = await set(ana, { balance: 500 })
  expect(body.user).toMatchObject({ totalDeposit: 10, totalSpent: 0 })
})

test('a double click books once', async () => {
  const ana = await customer(10)
  const answers = await Promise.all([1, 2, 3].map(() => set(ana, { balance: 25, seenBalance: 10 })))
  expect(answers.map(({ status, body }) => [status, body.user.balance])).toEqual([
    [200, 25],
    [200, 25],
    [200, 25],
  ])
  expect((await entries(ana)).map(({ amount }) => amount)).toEqual([15, 10])
  expect(await audited(ana)).toHaveLength(1)
})

test('an outdated balance changes nothing, and both amounts are shown', async () => {
  const ana = await customer(10)
  const { status, body } = await set(ana, {
    balance: 25,
    seenBalance: 12.5,
    referralCode: 'NOT-THIS-ONE',
  })
  expect([status, body.message]).toEqual([
    409,
    'The balance has changed from $12.50 to $10.00. Nothing was changed.',
  ])
  expect([await balanceOf(ana), await audited(ana)]).toEqual([10, []])
  expect((await app.call(verifySession, {}, ana.token)).body.user.referralCode).toBe(
    ana.user.referralCode,
  )
})

test('two administrators set the same balance at the same moment: the last one counts, and every cent is explained', async () => {
  const ana = await customer(10)
  const second = await app.register('Second')
  await app.call(
    setUserRole,
    { params: { userId: second.user._id }, body: { user_role: 'admin' } },
    admin.token,
  )
  const answers = await Promise.all([
    set(ana, { balance: 40 }),
    set(ana, { balance: 7 }, second.token),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const all = await entries(ana)
  expect([7, 40]).toContain(await balanceOf(ana))
  expect(all.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)).toBe(
    Math.round((await balanceOf(ana)) * 100),
  )
  const seen = await customer(10)
  const told = await Promise.all([
    set(seen, { balance: 40, seenBalance: 10 }),
    set(seen, { balance: 7, seenBalance: 10 }, second.token),
  ])
  expect(told.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('a balance set while labels are bought is correct, and holds stay', async () => {
  const ana = await customer(100)
  const buy = () => app.call(placeOrder, { body: singleOrderBody(ana.user._id) }, ana.token)
  const [, changed] = await Promise.all([buy(), set(ana, { balance: 50 }), buy(), buy()])
  expect(changed.status).toBe(200)
  const moved = await entries(ana)
  const adjusted = moved.find(({ kind }) => kind.startsWith('adjust'))!
  expect(adjusted.balance).toBe(50)
  const later = moved.slice(0, moved.indexOf(adjusted))
  expect(await balanceOf(ana)).toBe(50 - 9.5 * later.length)
  expect(moved).toHaveLength(5)
})

test('invalid amounts are refused', async () => {
  const ana = await customer(10)
  for (const balance of [-1, 0.001, 10_000_001, Number.NaN])
    expect((await set(ana, { balance })).status).toBe(400)
  const { status, body } = await set(ana, { balance: 11, reason: 'a\u0007b' })
  expect([status, body.errors]).toEqual([
    422,
    { reason: 'Reason contains characters that cannot be displayed' },
  ])
  expect(await balanceOf(ana)).toBe(10)
})

test('a chosen code is stored in upper case and found in any letter case', async () => {
  const ana = await customer(0)
  const { body } = await set(ana, { referralCode: ' spring-26 ' })
  expect(body.user.referralCode).toBe('SPRING-26')
  expect(await audited(ana)).toMatchObject([
    { action: 'referral-code', detail: { from: ana.user.referralCode, to: 'SPRING-26' } },
  ])
  const join = (email: string, referralCode: string) =>
    app.call(register, {
      body: { name: 'Joe', email, password: PASSWORD, confirmPassword: PASSWORD, referralCode },
    })
  expect((await join('joe@example.com', 'sPring-26')).status).toBe(200)
  expect((await join('jim@example.com', ana.user.referralCode)).body.errors).toEqual({
    referralCode: 'This referral code does not exist',
  })
  await set(ana, { referralCode: 'Spring-26' })
  expect(await audited(ana)).toHaveLength(1)
})

test('an empty, unprintable or taken code is refused at its field, and nothing else is changed', async () => {
  const [ana, ben] = [await customer(10), await customer(0)]
  const shape = 'A referral code must be 3 to 40 letters, digits and dashes'
  for (const [referralCode, code, text] of [
    ['  ', 422, 'Referral Code is required'],
    ['AB', 422, shape],
    ['A'.repeat(41), 422, shape],
    ['SPRING SALE', 422, shape],
    ['ÄPFEL', 422, shape],
    [ben.user.referralCode.toLowerCase(), 409, 'This referral code is taken'],
  ] as const) {
    const { status, body } = await set(ana, { balance: 99, referralCode })
    expect([status, body.message, body.errors]).toEqual([code, text, { referralCode: text }])
  }
  expect([await balanceOf(ana), await audited(ana)]).toEqual([10, []])
})

test('of two users given the same code at the same moment one has it', async () => {
  const people = [await customer(0), await customer(0)]
  const answers = await Promise.all(people.map(one => set(one, { referralCode: 'ONE-OF-US' })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('details of an unknown user cannot be changed', async () => {
  expect(
    (
      await app.call(
        setUserDetails,
        { params: { userId: '999999' }, body: { balance: 1 } },
        admin.token,
      )
    ).status,
  ).toBe(404)
})
