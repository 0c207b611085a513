/** What the users' records say about who invited whom; the room `referrals` decides when it may change. */
import type { Db, Tx } from '#server/platform/database.ts'
import { refuseFields } from '#server/platform/refusal.ts'
import { typedCode } from './rules.ts'
import {
  findByCode,
  insertAudit,
  isAbove,
  lockInvitations,
  lockMember,
  selectInvited,
  updateMember,
} from './store.ts'
import type { Member, Page } from './store.ts'

/** The owner of a referral code; an unknown one is refused at its field ('unprocessable'). */
export async function inviterOf(db: Db, typed: string): Promise<Member> {
  const code = typedCode(typed)
  const inviter = code === null ? undefined : await findByCode(db, code)
  if (!inviter) throw refuseFields({ referralCode: 'This referral code is not known' })
  return inviter
}

/** A page of the users whom `userId` invited, newest first, and their number. */
export const invitedBy = (db: Db, userId: number, page: number, limit: number): Promise<Page> =>
  selectInvited(db, userId, (page - 1) * limit, limit)

/**
 * A user about to name his inviter, locked, and whether he stands above that inviter himself. No other invitation changes until
 * the transaction ends.
 */
export async function lockInvitation(
  tx: Tx,
  userId: number,
  inviterId: number,
): Promise<{ member: Member | undefined; isAboveInviter: boolean }> {
  await lockInvitations(tx)
  return {
    member: await lockMember(tx, userId),
    isAboveInviter: await isAbove(tx, userId, inviterId),
  }
}

/** Writes down who invited a user; `actorId`: who says so, himself or the administrator who is signed in as him. */
export async function recordInviter(
  tx: Tx,
  member: Member,
  inviter: Member,
  actorId: number,
): Promise<void> {
  await updateMember(tx, member.id, { referredBy: inviter.id })
  await insertAudit(tx, {
    actorId,
    subjectId: member.id,
    action: 'referral',
    detail: { invitedBy: inviter.id },
  })
}
