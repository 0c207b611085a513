/** Inviters of users. The module `referrals` decides when they may change. */
import type { Db, Tx } from '#server/platform/database/database.ts'
import { refuseFields } from '#server/platform/http/refusal.ts'
import { insertAuditEntry } from './audit-store.ts'
import { parseReferralCode } from './rules.ts'
import {
  findUserByReferralCode,
  isInviterAbove,
  lockInvitations,
  lockUser,
  selectInvited,
  updateUser,
} from './store.ts'
import type { UserRecord, UserPage } from './store.ts'

/** The owner of a referral code. Throws Refusal 'unprocessable' at the field for an unknown one. */
export async function findInviter(db: Db, typed: string): Promise<UserRecord> {
  const code = parseReferralCode(typed)
  const inviter = code === null ? undefined : await findUserByReferralCode(db, code)
  if (!inviter) throw refuseFields({ referralCode: 'This referral code does not exist' })
  return inviter
}

/** Newest first; pages count from 1. */
export const listInvitedUsers = (
  db: Db,
  userId: number,
  page: number,
  limit: number,
): Promise<UserPage> => selectInvited(db, userId, (page - 1) * limit, limit)

/**
 * Locks all invitations until the transaction ends, and the user; tells whether the user is above
 * the inviter in the chain.
 */
export async function lockInvitee(
  tx: Tx,
  userId: number,
  inviterId: number,
): Promise<{ user: UserRecord | undefined; isAboveInviter: boolean }> {
  await lockInvitations(tx)
  return {
    user: await lockUser(tx, userId),
    isAboveInviter: await isInviterAbove(tx, userId, inviterId),
  }
}

/** `actorId`: the user, or the administrator signed in as them. */
export async function recordInviter(
  tx: Tx,
  user: UserRecord,
  inviter: UserRecord,
  actorId: number,
): Promise<void> {
  await updateUser(tx, user.id, { referredBy: inviter.id })
  await insertAuditEntry(tx, {
    actorId,
    subjectId: user.id,
    action: 'referral',
    detail: { invitedBy: inviter.id },
  })
}
