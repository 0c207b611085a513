import { expect, test } from 'vitest'
import { firstStepsLeft } from './first-run.ts'

const account = { totalDeposit: 0, balance: 0, addresses: 0, orders: 0 }

test('a new customer has three steps ahead', () => {
  expect(firstStepsLeft(account)).toEqual({ money: false, sender: false, label: false })
})

test('each step is done by what the account has', () => {
  expect(firstStepsLeft({ ...account, totalDeposit: 20 })).toMatchObject({ money: true })
  expect(firstStepsLeft({ ...account, balance: 5 })).toMatchObject({ money: true })
  expect(firstStepsLeft({ ...account, addresses: 2 })).toMatchObject({ sender: true })
  expect(firstStepsLeft({ ...account, orders: 1 })).toMatchObject({ label: true })
})

test('when all are done nothing is shown, and nothing while the account is unknown', () => {
  expect(firstStepsLeft({ totalDeposit: 20, balance: 0, addresses: 1, orders: 1 })).toBeNull()
  expect(firstStepsLeft({ ...account, orders: undefined })).toBeUndefined()
})
