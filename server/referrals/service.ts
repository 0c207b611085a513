/** Invited users, and codes that are applied after registration (specification, 7). */
import {
  listInvitedUsers,
  findInviter,
  lockInvitation,
  recordInviter,
} from '#server/accounts/invitations.ts'
import { userOf, withWallets } from '#server/accounts/service.ts'
import type { UserWithWallet } from '#server/accounts/service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Db } from '#server/platform/database/database.ts'
import { refuseFields } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { referralError } from './rules.ts'

/** A page of the users whom `userId` invited, newest first, with their money. Throws 'not_found' for an unknown user. */
export async function invitedUsersPage(
  db: Db,
  userId: number,
  page: number,
  limit: number,
): Promise<{ users: UserWithWallet[]; total: number }> {
  await userOf(db, userId)
  const { users, total } = await listInvitedUsers(db, userId, page, limit)
  return { users: await withWallets(db, users), total }
}

/** Records the owner of `typed` as the one who invited the caller. Refuses at the field ('unprocessable') what the rules refuse. */
export async function applyReferralCode(
  ctx: Context,
  { userId, impersonatorId }: Caller,
  typed: string,
): Promise<UserWithWallet> {
  if (typed.trim() === '') throw refuseFields({ referralCode: 'Referral Code is required' })
  const inviter = await findInviter(ctx.database.db, typed)
  await ctx.database.tx(async tx => {
    const { member, isAboveInviter } = await lockInvitation(tx, userId, inviter.id)
    // A user who was deleted meanwhile is told so by userOf below.
    if (!member) return
    const fault = referralError(member, inviter.id, isAboveInviter)
    if (fault) throw refuseFields({ referralCode: fault })
    await recordInviter(tx, member, inviter, impersonatorId ?? userId)
  })
  return userOf(ctx.database.db, userId)
}
