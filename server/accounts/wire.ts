import type {
  Device as WireDevice,
  Person as WirePerson,
  User as WireUser,
  UserLine,
} from '#contract/accounts.ts'
import type { AuditEntry } from '#contract/audit.ts'
import { dollars } from '#contract/money.ts'
import type { Device } from './account.ts'
import { auditKind, auditText } from './audit-text.ts'
import type { Visit } from './audit.ts'
import type { User } from './service.ts'
import type { Person, TrailEntry } from './trail-store.ts'

/** Where a call came from, by its network address and its headers. */
export const visitOf = (
  address: string,
  headers: { 'user-agent'?: string | undefined },
): Visit => ({ address, userAgent: headers['user-agent'] ?? '' })

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
export const userLineWire = (user: User): UserLine => ({
  ...userWire(user),
  createdAt: user.createdAt.toISOString(),
  held: dollars(user.wallet.held),
})

/** A signed-in device as the wire knows it. */
export const deviceWire = ({ id, createdAt, lastSeenAt, ...rest }: Device): WireDevice => ({
  _id: String(id),
  createdAt: createdAt.toISOString(),
  lastSeenAt: lastSeenAt.toISOString(),
  ...rest,
})

/** A person in a few words. */
export const personWire = ({ id, name, email }: Person): WirePerson => ({
  _id: String(id),
  name,
  email,
})

/** A line of the audit, in words. */
export const auditWire = ({ id, at, action, actor, subject, detail }: TrailEntry): AuditEntry => ({
  _id: String(id),
  at: at.toISOString(),
  action,
  kind: auditKind(action),
  text: auditText(action, detail),
  actor: actor && personWire(actor),
  subject: subject && personWire(subject),
  detail,
})
