import { expect, test } from 'vitest'
import { firstStepsLeft, openDepositOf } from './first-run.ts'

const wallet = { balance: 0, totalDeposit: 0, totalSpent: 0 }
const account = { wallet, addresses: 0, orders: 0 }

test('a new customer has three steps ahead', () => {
  expect(firstStepsLeft(account)).toEqual({ money: false, sender: false, label: false })
})

test('each step is done by what the account has', () => {
  const withMoney = (money: Partial<typeof wallet>) =>
    firstStepsLeft({ ...account, wallet: { ...wallet, ...money } })
  expect(withMoney({ totalDeposit: 20 })).toMatchObject({ money: true })
  expect(withMoney({ balance: 5 })).toMatchObject({ money: true })
  // Added by support, then spent.
  expect(withMoney({ totalSpent: 5 })).toMatchObject({ money: true })
  expect(firstStepsLeft({ ...account, addresses: 2 })).toMatchObject({ sender: true })
  expect(firstStepsLeft({ ...account, orders: 1 })).toMatchObject({ label: true })
})

test('when all are done nothing is shown, and nothing while the account is unknown', () => {
  expect(
    firstStepsLeft({ wallet: { ...wallet, totalDeposit: 20 }, addresses: 1, orders: 1 }),
  ).toBeNull()
  expect(firstStepsLeft({ ...account, orders: undefined })).toBeUndefined()
})

test('an invoice that waits and a payment on its way are told apart, and settled ones are neither', () => {
  const deposit = { _id: '1', invoiceId: 'a', credited: 0, createdTime: 0, note: null }
  const unpaid = { ...deposit, amount: 0, requested: 100, status: 'New' }
  const paid = { ...deposit, amount: 60, requested: 100, status: 'Processing' }
  const settled = { ...deposit, amount: 20, requested: 20, status: 'Settled' }
  expect(openDepositOf([settled, unpaid, paid])).toEqual({ state: 'unpaid', amount: 100 })
  expect(openDepositOf([paid])).toEqual({ state: 'arriving', amount: 60 })
  expect(openDepositOf([settled, { ...unpaid, status: 'Expired' }])).toBeNull()
})
