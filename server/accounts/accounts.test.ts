import { expect, test } from 'vitest'
import { register, verify } from '#contract/accounts.ts'
import { testApp } from '#tests/support/app.ts'

const app = await testApp()

test('a visitor who registers is signed in with an empty wallet', async () => {
  const { token, user } = await app.register('Ana')
  expect(user).toMatchObject({ name: 'Ana', user_role: 'user', balance: 0, totalDeposit: 0, totalSpent: 0, activation: 'allow' })
  expect((await app.call(verify, {}, token)).body.user).toEqual(user)
  await app.creditDollars(user._id, 12.5)
  expect((await app.call(verify, {}, token)).body.user).toMatchObject({ balance: 12.5, totalDeposit: 12.5 })
})
