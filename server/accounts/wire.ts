import type { Device as WireDevice, User as WireUser, UserLine } from '#contract/accounts.ts'
import { dollars } from '#contract/money.ts'
import type { Device } from './account.ts'
import type { User } from './service.ts'

/** A user as the wire knows him. */
export const userWire = (user: User): WireUser => ({
  _id: String(user.id),
  name: user.name,
  email: user.email,
  user_role: user.role,
  balance: dollars(user.wallet.available),
  referralCode: user.referralCode,
  totalDeposit: dollars(user.wallet.deposited),
  totalSpent: dollars(user.wallet.spent),
  activation: user.activation,
  avatar: user.avatar,
})

/** A user as administrators see him in a list. */
export const userLineWire = (user: User): UserLine =>
  ({ ...userWire(user), createdAt: user.createdAt.toISOString(), held: dollars(user.wallet.held) })

/** A signed-in device as the wire knows it. */
export const deviceWire = ({ id, createdAt, lastSeenAt, ...rest }: Device): WireDevice =>
  ({ _id: String(id), createdAt: createdAt.toISOString(), lastSeenAt: lastSeenAt.toISOString(), ...rest })
