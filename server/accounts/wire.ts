import type { IncomingHttpHeaders } from 'node:http'
import type {
  Device as WireDevice,
  UserSummary as WirePerson,
  User as WireUser,
  AdminUser,
  BalanceRequest,
} from '#contract/accounts.ts'
import type { AuditEntry } from '#contract/audit.ts'
import { dollars } from '#contract/money.ts'
import { networkOf } from '#server/platform/http/request-limits.ts'
import { claimedAddress } from '#server/platform/http/untrusted-proxy.ts'
import type { AuditRecord } from './audit-list-store.ts'
import { auditKind, auditText } from './audit-text.ts'
import type { RequestOrigin } from './audit.ts'
import type { BalanceRequestItem } from './balance-adjustments.ts'
import type { SignedInDevice } from './own-account.ts'
import type { UserRef } from './rules.ts'
import type { UserWithWallet } from './service.ts'

export const requestOriginOf = (address: string, headers: IncomingHttpHeaders): RequestOrigin => ({
  address,
  userAgent: headers['user-agent'] ?? '',
  network: networkOf(claimedAddress(address, headers) ?? address),
  cookies: headers.cookie ?? '',
})

export const userWire = (user: UserWithWallet): WireUser => ({
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

export const userLineWire = (user: UserWithWallet): AdminUser => ({
  ...userWire(user),
  createdAt: user.createdAt.toISOString(),
  held: dollars(user.wallet.held),
  emailVerified: user.emailVerifiedAt !== null,
  invited: user.invitedAt !== null,
  deleted: user.deletedAt !== null,
})

export const deviceWire = ({ id, createdAt, lastSeenAt, ...rest }: SignedInDevice): WireDevice => ({
  _id: String(id),
  createdAt: createdAt.toISOString(),
  lastSeenAt: lastSeenAt.toISOString(),
  ...rest,
})

/** `viewerId`: the administrator who asks. */
export const balanceRequestWire = (
  { id, user, available, difference, reason, askedBy, askedAt }: BalanceRequestItem,
  viewerId: number,
): BalanceRequest => ({
  _id: String(id),
  user: personWire(user),
  balance: dollars(available),
  difference: dollars(difference),
  reason,
  askedBy: personWire(askedBy),
  askedAt: askedAt.toISOString(),
  mine: askedBy.id === viewerId,
})

export const personWire = ({ id, name, email }: UserRef): WirePerson => ({
  _id: String(id),
  name,
  email,
})

export const auditWire = ({ id, at, action, actor, subject, detail }: AuditRecord): AuditEntry => ({
  _id: String(id),
  at: at.toISOString(),
  action,
  kind: auditKind(action),
  text: auditText(action, detail),
  actor: actor && personWire(actor),
  subject: subject && personWire(subject),
  detail,
})
