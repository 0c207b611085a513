/** What the users' records say about who invited whom; the room `referrals` decides when it may change. */
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

/** The owner of a referral code; an unknown one is refused at its field ('unprocessable'). */
export async function findInviter(db: Db, typed: string): Promise<UserRecord> {
  const code = parseReferralCode(typed)
  const inviter = code === null ? undefined : await findUserByReferralCode(db, code)
  if (!inviter) throw refuseFields({ referralCode: 'This referral code is not known' })
  return inviter
}

/** A page of the users whom `userId` invited, newest first, and their number. */
export const listInvitedUsers = (
  db: Db,
  userId: number,
  page: number,
  limit: number,
): Promise<UserPage> => selectInvited(db, userId, (page - 1) * limit, limit)

/**
 * A user about to name his inviter, locked, and whether he stands above that inviter himself. No other invitation changes until
 * the transaction ends.
 */
export async function lockInvitation(
  tx: Tx,
  userId: number,
  inviterId: number,
): Promise<{ member: UserRecord | undefined; isAboveInviter: boolean }> {
  await lockInvitations(tx)
  return {
    member: await lockUser(tx, userId),
    isAboveInviter: await isInviterAbove(tx, userId, inviterId),
  }
}

/** Writes down who invited a user; `actorId`: who says so, himself or the administrator who is signed in as him. */
export async function recordInviter(
  tx: Tx,
  member: UserRecord,
  inviter: UserRecord,
  actorId: number,
): Promise<void> {
  await updateUser(tx, member.id, { referredBy: inviter.id })
  await insertAuditEntry(tx, {
    actorId,
    subjectId: member.id,
    action: 'referral',
    detail: { invitedBy: inviter.id },
  })
}
