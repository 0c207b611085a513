import { expect, test } from 'vitest'
import { listUsers, setUserActivation, setUserRole } from '#contract/accounts.ts'
import type { RequestInput } from '#contract/endpoint.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'

const app = await testApp()
const { token } = await app.admin()
const list = async (query: RequestInput<typeof listUsers>['query']) =>
  (await app.call(listUsers, { query }, token)).body
const found = async (search: string) =>
  (await list({ search, sort: 'name', order: 'asc' })).map(({ name }) => name)

const ana = await app.register('Ana Rivera')
const ben = await app.register('Ben Riverton')
const zoe = await app.register('Zoë 100% Mail')

test('a user is found by any part of name or email, in any letter case', async () => {
  expect(await found('RIVER')).toEqual(['Ana Rivera', 'Ben Riverton'])
  expect(await found(' zOË ')).toEqual(['Zoë 100% Mail'])
  expect(await found(ana.user.email.toUpperCase())).toEqual(['Ana Rivera'])
  expect(await found(ana.user.email.split('@')[0]!.slice(3))).toEqual(['Ana Rivera'])
})

test('wildcards of patterns are plain text in a search', async () => {
  expect(await found('0% m')).toEqual(['Zoë 100% Mail'])
  expect(await found('a_a')).toEqual([])
  expect(await found('\\')).toEqual([])
})

test('a user is found by the whole referral code or id only', async () => {
  expect(await found(ana.user.referralCode.toLowerCase())).toEqual(['Ana Rivera'])
  expect(await found(ana.user.referralCode.slice(0, 7))).toEqual([])
  for (const order of ['asc', 'desc'] as const)
    expect((await list({ search: ben.user._id, order }))[0]?.name).toBe('Ben Riverton')
  expect(await found('99999999999999999999999')).toEqual([])
})

test('the list can be filtered by role and activation, with its total', async () => {
  const [friend, blocked] = [await app.register('Fay'), await app.register('Bo')]
  await app.call(
    setUserRole,
    { params: { userId: friend.user._id }, body: { user_role: 'friend' } },
    token,
  )
  await app.call(
    setUserActivation,
    { params: { userId: blocked.user._id }, body: { activation: 'block' } },
    token,
  )
  const { body, headers } = await app.call(
    listUsers,
    { query: { user_role: 'friend', limit: 1 } },
    token,
  )
  expect([body.map(({ name }) => name), headers['x-total-count']]).toEqual([['Fay'], '1'])
  expect((await list({ activation: 'block' })).map(({ name }) => name)).toEqual(['Bo'])
  expect(await list({ activation: 'block', user_role: 'friend' })).toEqual([])
})

test('the list can be sorted by money in both directions and shows holds', async () => {
  const rich: [TestUser, number][] = [
    [ana, 20],
    [ben, 5],
    [zoe, 70],
  ]
  for (const [{ user }, dollars] of rich) await app.creditDollars(user._id, dollars)
  for (const sort of ['balance', 'totalDeposit'] as const) {
    const richest = (await list({ sort, order: 'desc', limit: 3 })).map(({ name }) => name)
    expect(richest).toEqual(['Zoë 100% Mail', 'Ana Rivera', 'Ben Riverton'])
  }
  const rising = (await list({ sort: 'balance', order: 'asc' })).map(({ balance }) => balance)
  expect(rising).toEqual(rising.toSorted((a, b) => a - b))
  expect((await list({ search: zoe.user._id }))[0]).toMatchObject({
    balance: 70,
    held: 0,
    createdAt: expect.stringMatching(/^20.*Z$/),
  })
})

test.each([
  'createdAt',
  'name',
  'email',
  'role',
  'activation',
  'balance',
  'totalDeposit',
  'totalSpent',
] as const)('sorted by %s every user is on exactly one page', async sort => {
  const whole = (await list({ sort, order: 'asc' })).map(({ _id }) => _id)
  const pages: string[] = []
  for (let page = 1; pages.length < whole.length; page++) {
    pages.push(...(await list({ sort, order: 'asc', page, limit: 2 })).map(({ _id }) => _id))
  }
  expect(pages).toEqual(whole)
  expect(new Set(whole).size).toBe(whole.length)
  expect((await list({ sort, order: 'desc' })).map(({ _id }) => _id)).toEqual(whole.toReversed())
})
