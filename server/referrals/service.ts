/** Invited users, and codes that are applied after registration (specification, 7). */
import {
  invitedBy,
  inviterOf,
  lockInvitation,
  recordInviter,
} from '#server/accounts/invitations.ts'
import { userOf, withWallets } from '#server/accounts/service.ts'
import type { User } from '#server/accounts/service.ts'
import type { Db } from '#server/platform/database.ts'
import type { House } from '#server/platform/house.ts'
import type { Caller } from '#server/platform/http.ts'
import { refuseFields } from '#server/platform/refusal.ts'
import { applyFault } from './rules.ts'

/** A page of the users whom `userId` invited, newest first, with their money. Throws 'not_found' for an unknown user. */
export async function invitedPage(
  db: Db,
  userId: number,
  page: number,
  limit: number,
): Promise<{ users: User[]; total: number }> {
  await userOf(db, userId)
  const { members, total } = await invitedBy(db, userId, page, limit)
  return { users: await withWallets(db, members), total }
}

/** Records the owner of `typed` as the one who invited the caller. Refuses at the field ('unprocessable') what the rules refuse. */
export async function applyCode(
  house: House,
  { userId, actorId }: Caller,
  typed: string,
): Promise<User> {
  if (typed.trim() === '') throw refuseFields({ referralCode: 'Referral Code is required' })
  const inviter = await inviterOf(house.database.db, typed)
  await house.database.tx(async tx => {
    const { member, isAboveInviter } = await lockInvitation(tx, userId, inviter.id)
    // A user who was deleted meanwhile is told so by userOf below.
    if (!member) return
    const fault = applyFault(member, inviter.id, isAboveInviter)
    if (fault) throw refuseFields({ referralCode: fault })
    await recordInviter(tx, member, inviter, actorId ?? userId)
  })
  return userOf(house.database.db, userId)
}
