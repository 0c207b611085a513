import { expect, test } from 'vitest'
import { deleteUser, register } from '#contract/accounts.ts'
import {
  applyReferral,
  invitedTotals,
  invitedUsers,
  listReferrers,
  referralCode,
  SIGN_UP_WEEKS,
} from '#contract/referrals.ts'
import { PASSWORD, testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'

const app = await testApp()

const apply = (visitor: TestUser, code: string) =>
  app.call(applyReferral, { body: { referralCode: code } }, visitor.token)
const invited = async (visitor: TestUser) =>
  (
    await app.call(invitedUsers, { params: { userId: visitor.user._id }, query: {} }, visitor.token)
  ).body.map(user => user.name)

test('users read their own code', async () => {
  const ana = await app.register('Ana')
  const { body } = await app.call(referralCode, { params: { userId: ana.user._id } }, ana.token)
  expect(body).toEqual({ referralCode: ana.user.referralCode })
})

test('users who register with a code appear in its owner’s list, newest first, with their deposits', async () => {
  const ana = await app.register('Ana')
  const typed = ` ${ana.user.referralCode.toLowerCase()} `
  const join = (name: string) =>
    app.call(register, {
      body: {
        name,
        email: `${name}@example.com`,
        password: PASSWORD,
        confirmPassword: PASSWORD,
        referralCode: typed,
      },
    })
  const ben = (await join('Ben')).body.user
  await join('Cleo')
  await app.creditDollars(ben._id, 40)
  const { body, headers } = await app.call(
    invitedUsers,
    { params: { userId: ana.user._id }, query: { limit: 7 } },
    ana.token,
  )
  expect(body.map(({ name, totalDeposit }) => [name, totalDeposit])).toEqual([
    ['Cleo', 0],
    ['Ben', 40],
  ])
  expect(headers['x-total-count']).toBe('2')
  expect(Object.keys(body[0]!).sort()).toEqual(['name', 'registeredDate', 'totalDeposit'])
  const totals = async (of: TestUser) =>
    (await app.call(invitedTotals, { params: { userId: of.user._id } }, of.token)).body
  expect(await totals(ana)).toEqual({ users: 2, totalDeposit: 40 })
  expect(await totals(await app.register('Dan'))).toEqual({ users: 0, totalDeposit: 0 })
})

test('a code can be applied once, after registration', async () => {
  const ana = await app.register('Ana')
  const ben = await app.register('Ben')
  const { status, body } = await apply(ben, ana.user.referralCode)
  expect(status).toBe(200)
  expect(body).toEqual({
    success: true,
    token: ben.token,
    user: ben.user,
    message: 'Referral code applied successfully!',
  })
  expect(await invited(ana)).toEqual(['Ben'])
  const again = await apply(ben, (await app.register()).user.referralCode)
  expect([again.status, again.body.message]).toEqual([
    422,
    'You have already applied a referral code',
  ])
})

test('an unknown code, an empty one and the user’s own are refused at the field', async () => {
  const ana = await app.register('Ana')
  for (const [code, text] of [
    ['NOBODY99', 'This referral code does not exist'],
    ['a\u0000b', 'This referral code does not exist'],
    ['  ', 'Referral Code is required'],
    [ana.user.referralCode, 'You cannot use your own referral code'],
  ] as const) {
    const { status, body } = await apply(ana, code)
    expect([status, body.message, body.errors]).toEqual([422, text, { referralCode: text }])
  }
  expect(await invited(ana)).toEqual([])
})

test('who guesses codes is slowed after twenty, by user and, while registering, by network', async () => {
  const [ana, guesser, other] = [
    await app.register('Ana'),
    await app.register('Guesser'),
    await app.register('Other'),
  ]
  const guesses = []
  for (let n = 0; n < 21; n++) guesses.push((await apply(guesser, `GUESS${n}`)).status)
  expect(guesses).toEqual([...Array<number>(20).fill(422), 429])
  expect((await apply(other, ana.user.referralCode)).status).toBe(200)
  const registerWith = async (n: number) =>
    (
      await app.call(
        register,
        {
          body: {
            name: 'Guesser',
            email: `guesser${n}@example.com`,
            password: PASSWORD,
            confirmPassword: PASSWORD,
            referralCode: `GUESS${n}`,
          },
        },
        undefined,
        '203.0.113.12',
      )
    ).status
  const registrations = []
  for (let n = 0; n < 21; n++) registrations.push(await registerWith(n))
  expect(registrations).toEqual([...Array<number>(20).fill(422), 429])
})

test('users cannot apply a code of a user who joined through them, directly or indirectly', async () => {
  const [ana, ben, cleo] = [
    await app.register('Ana'),
    await app.register('Ben'),
    await app.register('Cleo'),
  ]
  await apply(ben, ana.user.referralCode)
  await apply(cleo, ben.user.referralCode)
  const { status, body } = await apply(ana, cleo.user.referralCode)
  expect([status, body.message]).toEqual([
    422,
    'This code belongs to someone who joined through you',
  ])
})

test('two users who apply each other’s codes at the same moment do not become each other’s inviters', async () => {
  const [ana, ben] = [await app.register('Ana'), await app.register('Ben')]
  const answers = await Promise.all([
    apply(ana, ben.user.referralCode),
    apply(ben, ana.user.referralCode),
  ])
  expect(answers.map(answer => answer.status).sort()).toEqual([200, 422])
})

test('a double click applies a code once', async () => {
  const [ana, ben] = [await app.register('Ana'), await app.register('Ben')]
  const answers = await Promise.all([1, 2, 3].map(() => apply(ben, ana.user.referralCode)))
  expect(answers.map(answer => answer.status).sort()).toEqual([200, 422, 422])
  expect(await invited(ana)).toEqual(['Ben'])
})

test('an administrator reads the invitations of any user; an unknown user is not found', async () => {
  const [ana, admin] = [await app.register('Ana'), await app.admin()]
  const read = (userId: string) =>
    app.call(invitedUsers, { params: { userId }, query: {} }, admin.token)
  expect((await read(ana.user._id)).status).toBe(200)
  expect((await read('999999')).status).toBe(404)
  expect((await app.call(referralCode, { params: { userId: '999999' } }, admin.token)).status).toBe(
    404,
  )
})

test('of codes that are used as often, those with the larger deposits are listed first', async () => {
  const admin = await app.admin()
  for (const [owner, dollars] of [
    ['Kim', 20],
    ['Lou', 10],
  ] as const) {
    const { user } = await app.register(owner)
    const guest = await app.register(`Guest of ${owner}`)
    await apply(guest, user.referralCode)
    await app.creditDollars(guest.user._id, dollars)
  }
  const { body } = await app.call(listReferrers, { query: { limit: 100 } }, admin.token)
  const names = body.referrers.map(({ user }) => user.name)
  expect(names.filter(name => ['Kim', 'Lou'].includes(name))).toEqual(['Kim', 'Lou'])
})

test('administrators see whose codes are used the most, with the deposits of the invited', async () => {
  const admin = await app.admin()
  const referrers = async () =>
    (await app.call(listReferrers, { query: { limit: 100 } }, admin.token)).body
  const before = await referrers()
  const eve = await app.register('Eve')
  const fred = await app.register('Fred')
  for (const [owner, name] of [
    [eve, 'Gil'],
    [eve, 'Hal'],
    [eve, 'Ida'],
    [fred, 'Jon'],
  ] as const) {
    const guest = await app.register(name)
    await apply(guest, owner.user.referralCode)
    await app.creditDollars(guest.user._id, 10)
  }
  const {
    referrers: found,
    totalCount,
    signUps,
    recentSignUps,
    signUpsPerWeek,
    latest,
  } = await referrers()
  expect(totalCount).toBe(before.totalCount + 2)
  expect(signUps).toBe(before.signUps + 4)
  expect(recentSignUps).toBe(before.recentSignUps + 4)
  expect(signUpsPerWeek).toHaveLength(SIGN_UP_WEEKS)
  expect(signUpsPerWeek.at(-1)).toBe(before.signUpsPerWeek.at(-1)! + 4)
  expect(signUpsPerWeek[0]).toBe(before.signUpsPerWeek[0])
  expect(
    latest.map(({ user, referrer }) => `${user.name} by ${referrer.name}`).slice(0, 4),
  ).toEqual(['Jon by Fred', 'Ida by Eve', 'Hal by Eve', 'Gil by Eve'])
  expect(latest[0]!.totalDeposit).toBe(10)
  const byName = (name: string) => found.findIndex(({ user }) => user.name === name)
  expect(found[byName('Eve')]).toMatchObject({
    referralCode: eve.user.referralCode,
    users: 3,
    totalDeposit: 30,
  })
  expect(found[byName('Fred')]).toMatchObject({ users: 1, totalDeposit: 10 })
  expect(byName('Eve')).toBeLessThan(byName('Fred'))
  const { status } = await app.call(listReferrers, { query: {} }, eve.token)
  expect(status).toBe(403)
})

test('the list of codes and its totals leave out the code of a deleted user', async () => {
  const admin = await app.admin()
  const page = async (number: number) =>
    (await app.call(listReferrers, { query: { page: number, limit: 1 } }, admin.token)).body
  const before = await page(1)
  const owner = await app.register('Mia')
  // Her code is used the most.
  const guests = ['Ned', 'Ola', 'Pam', 'Quy'].map(name => app.register(name))
  for (const guest of await Promise.all(guests)) await apply(guest, owner.user.referralCode)
  expect((await page(1)).referrers.map(({ user }) => user.name)).toEqual(['Mia'])
  await app.call(deleteUser, { params: { userId: owner.user._id } }, admin.token)
  expect(await page(1)).toEqual(before)
})
