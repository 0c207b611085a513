/** Whose data a page shows: the signed-in user's, or that of a user whom an administrator looks at. */
import { createContext, use } from 'react'
import type { ReactNode } from 'react'
import type { User } from '#contract/accounts.ts'
import { useSession } from './session.ts'

type AccountFigures = Pick<User, '_id' | 'name' | 'balance' | 'totalDeposit' | 'totalSpent'>

type ShownAccount = {
  user: AccountFigures
  /** An administrator looks: nothing can be changed, and buttons that change something are left out. */
  isLook: boolean
  /** Where a page of the user area is found while looking; null for pages that are not shown there. */
  pathOf: (path: string) => string | null
}

const LookedAt = createContext<Omit<ShownAccount, 'isLook'> | null>(null)

type AccountLookProps = Omit<ShownAccount, 'isLook'> & { children: ReactNode }

/** Below it, `useShownAccount` returns `user`. The server decides what an administrator may read. */
export const AccountLook = ({ children, ...account }: AccountLookProps) => (
  <LookedAt value={account}>{children}</LookedAt>
)

/** Use it below RequireSignIn, in parts that an administrator sees too. */
export function useShownAccount(): ShownAccount {
  const own = useSession(session => session.user)
  const lookedAt = use(LookedAt)
  if (lookedAt) return { ...lookedAt, isLook: true }
  if (!own) throw new Error('useShownAccount needs a signed-in user')
  return { user: own, isLook: false, pathOf: path => path }
}
