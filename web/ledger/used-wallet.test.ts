import { expect, test } from 'vitest'
import { isWalletUsed } from './used-wallet.ts'

const empty = { balance: 0, totalDeposit: 0, totalSpent: 0 }

test('a wallet is used with its first money, and stays so when that is spent', () => {
  expect(isWalletUsed(empty)).toBe(false)
  expect(isWalletUsed({ ...empty, balance: 95 })).toBe(true)
  expect(isWalletUsed({ ...empty, totalDeposit: 95, totalSpent: 95 })).toBe(true)
  // Added by support, then spent.
  expect(isWalletUsed({ ...empty, totalSpent: 95 })).toBe(true)
})
