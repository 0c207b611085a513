import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  confirmBalanceRequest,
  declineBalanceRequest,
  deleteUser,
  listBalanceRequests,
  setUserDetails,
  setUserRole,
  verifySession,
} from '#contract/accounts.ts'
import { listAuditEntries } from '#contract/audit.ts'
import type { RequestInput } from '#contract/endpoint.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { backdateRoles, backdateTransfers } from '#tests/support/backdate.ts'

const app = await testApp({ env: { ADJUSTMENT_DAILY_LIMIT: '100' } })
const first = await app.admin()

async function newAdmin(): Promise<TestUser> {
  const user = await app.register()
  const params = { userId: user.user._id }
  await app.call(setUserRole, { params, body: { user_role: 'admin' } }, first.token)
  await backdateRoles(app.database)
  return { ...user, token: await app.signIn(user.user.email, user.password) }
}
const set = (by: TestUser, of: TestUser, body: RequestInput<typeof setUserDetails>['body']) =>
  app.call(setUserDetails, { params: { userId: of.user._id }, body }, by.token)
const balanceOf = async ({ token }: TestUser): Promise<number> =>
  (await app.call(verifySession, {}, token)).body.user.balance
const requests = async (by: TestUser, of: TestUser) =>
  (await app.call(listBalanceRequests, {}, by.token)).body.requests.filter(
    ({ user }) => user._id === of.user._id,
  )
const confirm = (by: TestUser, requestId: string) =>
  app.call(confirmBalanceRequest, { params: { requestId } }, by.token)
const decline = (by: TestUser, requestId: string, reason?: string) =>
  app.call(declineBalanceRequest, { params: { requestId }, body: { reason } }, by.token)

test('up to the limit of a day an administrator adjusts alone; ups and downs add up', async () => {
  const [ben, ana, eve] = [await newAdmin(), await app.register(), await app.register()]
  expect((await set(ben, ana, { balance: 60 })).status).toBe(200)
  expect((await set(ben, ana, { balance: 30 })).status).toBe(200)
  expect((await set(ben, eve, { balance: 10 })).status).toBe(200)
  const { status, body } = await set(ben, eve, { balance: 10.01, reason: 'a cent too much' })
  expect([status, body.message, body.user.balance]).toEqual([
    202,
    'This is more than the $100.00 that one administrator may adjust in 24 hours. '
      + 'The balance changes once another administrator confirms it.',
    10,
  ])
  expect([await balanceOf(ana), await balanceOf(eve)]).toEqual([30, 10])
  expect(await requests(first, eve)).toMatchObject([
    {
      balance: 10,
      difference: 0.01,
      reason: 'a cent too much',
      askedBy: { _id: ben.user._id },
      mine: false,
    },
  ])
  expect((await requests(ben, eve))[0]!.mine).toBe(true)
  await backdateTransfers(
    app.database,
    sql`created_at - interval '24 hours'`,
    sql`actor_id = ${ben.user._id}`,
  )
  expect((await set(ben, eve, { balance: 110 })).status).toBe(200)
})

test('a second administrator confirms: the difference is booked once, with both names in the audit', async () => {
  const [ben, cas, ana] = [await newAdmin(), await newAdmin(), await app.register()]
  await app.creditDollars(ana.user._id, 5)
  await set(ben, ana, { balance: 505, reason: 'compensation' })
  const [request] = await requests(cas, ana)
  expect(request).toMatchObject({ balance: 5, difference: 500 })
  // Meanwhile the customer has paid in more.
  await app.creditDollars(ana.user._id, 20)
  const answers = await Promise.all([1, 2, 3].map(() => confirm(cas, request!._id)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  expect(await balanceOf(ana)).toBe(525)
  expect(await requests(cas, ana)).toEqual([])
  const query = { userId: ana.user._id, kind: 'money' as const }
  const { entries } = (await app.call(listAuditEntries, { query }, first.token)).body
  expect(entries.map(({ actor, text }) => [actor?._id, text]).slice(0, 2)).toEqual([
    [
      cas.user._id,
      `Set the balance from $25.00 to $525.00 (+$500.00): compensation; requested by ${ben.user.name}`,
    ],
    [
      ben.user._id,
      'Asked a second administrator to set the balance to $505.00 (+$500.00): compensation',
    ],
  ])
  // What another one confirmed leaves the limits of both as they were.
  for (const admin of [ben, cas])
    expect((await set(admin, await app.register(), { balance: 100 })).status).toBe(200)
})

test('the one who asked does not confirm, nor does the one whose balance it is', async () => {
  const [ben, cas] = [await newAdmin(), await newAdmin()]
  await set(ben, cas, { balance: 500 })
  const [request] = await requests(first, cas)
  for (const by of [ben, cas]) expect((await confirm(by, request!._id)).status).toBe(403)
  expect((await decline(cas, request!._id)).status).toBe(403)
  expect(await balanceOf(cas)).toBe(0)
  expect((await confirm(first, request!._id)).status).toBe(200)
  expect(await balanceOf(cas)).toBe(500)
})

test('in the first day an administrator neither adjusts alone nor confirms, so none can make their own second one', async () => {
  const [puppet, ana] = [await app.register(), await app.register()]
  const params = { userId: puppet.user._id }
  await app.call(setUserRole, { params, body: { user_role: 'admin' } }, first.token)
  await set(first, ana, { balance: 5_000 })
  const [request] = await requests(puppet, ana)
  const refused = await confirm(puppet, request!._id)
  expect([refused.status, refused.body.message]).toEqual([
    403,
    'You have been an administrator for less than 24 hours. Another administrator confirms this change.',
  ])
  const alone = await set(puppet, ana, { balance: 1 })
  expect([alone.status, alone.body.message]).toEqual([
    202,
    'You have been an administrator for less than 24 hours. '
      + 'The balance changes once another administrator confirms it.',
  ])
  expect(await balanceOf(ana)).toBe(0)
  await backdateRoles(app.database)
  expect((await confirm(puppet, request!._id)).status).toBe(200)
  expect(await balanceOf(ana)).toBe(5_000)
})

test('a declined change is booked never; asking again replaces the open question', async () => {
  const [ben, ana] = [await newAdmin(), await app.register()]
  for (let n = 0; n < 2; n++) await set(ben, ana, { balance: 500, reason: 'a double click' })
  const [once, ...others] = await requests(first, ana)
  expect(others).toEqual([])
  await set(ben, ana, { balance: 700 })
  expect((await confirm(first, once!._id)).status).toBe(409)
  const [open, ...more] = await requests(first, ana)
  expect([open!.difference, more]).toEqual([700, []])
  expect((await decline(first, open!._id, 'too much')).status).toBe(200)
  expect((await confirm(first, open!._id)).status).toBe(409)
  expect([await balanceOf(ana), await requests(first, ana)]).toEqual([0, []])
})

test('the one who asked withdraws the change, once, and the audit says so', async () => {
  const [ben, ana] = [await newAdmin(), await app.register()]
  await set(ben, ana, { balance: 500 })
  const [open] = await requests(first, ana)
  const withdrawn = await decline(ben, open!._id)
  expect([withdrawn.status, withdrawn.body.message]).toEqual([
    200,
    'The change was withdrawn. The balance stays the same.',
  ])
  for (const late of [await decline(ben, open!._id), await confirm(first, open!._id)])
    expect([late.status, late.body.message]).toEqual([
      409,
      'This change was already withdrawn or replaced.',
    ])
  expect([await balanceOf(ana), await requests(first, ana)]).toEqual([0, []])
  const query = { userId: ana.user._id }
  const { entries } = (await app.call(listAuditEntries, { query }, first.token)).body
  expect([entries[0]!.actor?._id, entries[0]!.text]).toEqual([
    ben.user._id,
    'Withdrew the request to change the balance (+$500.00)',
  ])
})

test('a change that is booked at once replaces the question that its administrator had asked', async () => {
  const [ben, cas, ana] = [await newAdmin(), await newAdmin(), await app.register()]
  await set(ben, ana, { balance: 2_000, reason: 'a zero too many' })
  await set(cas, ana, { balance: 300 })
  const mistake = (await requests(cas, ana)).find(({ mine }) => !mine)
  expect((await set(ben, ana, { balance: 20 })).status).toBe(200)
  // The question of another administrator stays.
  expect(await requests(first, ana)).toMatchObject([
    { difference: 300, askedBy: { _id: cas.user._id } },
  ])
  expect((await confirm(cas, mistake!._id)).status).toBe(409)
  expect(await balanceOf(ana)).toBe(20)
})

test('asking for the balance as it is replaces the question that its administrator had asked', async () => {
  const [ben, ana] = [await newAdmin(), await app.register()]
  await set(ben, ana, { balance: 2_000, reason: 'a mistake' })
  const [mistake] = await requests(first, ana)
  expect((await set(ben, ana, { balance: 0 })).status).toBe(200)
  expect(await requests(first, ana)).toEqual([])
  expect((await confirm(first, mistake!._id)).status).toBe(409)
  expect(await balanceOf(ana)).toBe(0)
})

test('what cannot be taken any more, or was asked by a former administrator, is not booked', async () => {
  const [ben, ana] = [await newAdmin(), await app.register()]
  await app.creditDollars(ana.user._id, 300)
  await set(ben, ana, { balance: 0 })
  const [taken] = await requests(first, ana)
  await set(first, ana, { balance: 299 })
  const refused = await confirm(first, taken!._id)
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'Only $299.00 is available now, less than the $300.00 to be taken. Nothing was changed.',
  ])
  await set(first, ana, { balance: 300 })
  const params = { userId: ben.user._id }
  await app.call(setUserRole, { params, body: { user_role: 'user' } }, first.token)
  expect((await confirm(first, taken!._id)).status).toBe(409)
  expect((await decline(first, taken!._id)).status).toBe(200)
  expect(await balanceOf(ana)).toBe(300)
})

test('a second administrator confirms what is paid out to a deleted user', async () => {
  const [ben, ana] = [await newAdmin(), await app.register()]
  await app.creditDollars(ana.user._id, 300)
  await app.call(deleteUser, { params: { userId: ana.user._id } }, first.token)
  expect((await set(ben, ana, { balance: 0, reason: 'Paid by check' })).status).toBe(202)
  const [request] = await requests(first, ana)
  expect(request).toMatchObject({ balance: 300, difference: -300 })
  const { status, body } = await confirm(first, request!._id)
  expect([status, body.user.balance]).toEqual([200, 0])
})

test('changes that wait go with the user', async () => {
  const [ben, ana, eve] = [await newAdmin(), await app.register(), await app.register()]
  await set(ben, ana, { balance: 500 })
  await set(ben, eve, { balance: 500 })
  const [ofAna] = await requests(first, ana)
  await app.call(deleteUser, { params: { userId: ana.user._id } }, first.token)
  expect((await confirm(first, ofAna!._id)).status).toBe(409)
  await app.call(deleteUser, { params: { userId: ben.user._id } }, first.token)
  expect(await requests(first, eve)).toEqual([])
})
