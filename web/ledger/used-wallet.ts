import type { User } from '#contract/accounts.ts'

export type WalletFigures = Pick<User, 'balance' | 'totalDeposit' | 'totalSpent'>

/** Whether money has moved. Money that support has added is no deposit, and may be spent to the cent. Pure. */
export const isWalletUsed = ({ balance, totalDeposit, totalSpent }: WalletFigures): boolean =>
  [balance, totalDeposit, totalSpent].some(dollars => dollars !== 0)
