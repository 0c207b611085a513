/** Inviters of users. The module `referrals` decides when they may change. */
import type { Context } from '#server/platform/context.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { refuseField } from '#server/platform/http/refusal.ts'
import type { RequestLimits } from '#server/platform/http/request-limits.ts'
import { insertAuditEntry } from './audit-store.ts'
import { selectReferrers } from './referrers-store.ts'
import { parseReferralCode } from './rules.ts'
import {
  findUserByReferralCode,
  isInviterAbove,
  lockInvitations,
  lockUser,
  selectInvited,
  updateUser,
} from './store.ts'
import type { UserRecord, IdPage } from './store.ts'

const WRONG_CODES = 20
const WRONG_CODES_SECONDS = 3600

/**
 * As `findInviter`, for someone who types codes: `who` ('user:7' or a network) has twenty wrong ones
 * at once and then one in three minutes. Throws 429 after them.
 */
export async function findInviterFor(
  ctx: Context & { limits: RequestLimits },
  who: string,
  typed: string,
): Promise<UserRecord> {
  const key = `referral:${who}`
  await ctx.limits.checkAttempts(key, WRONG_CODES, WRONG_CODES_SECONDS)
  try {
    return await findInviter(ctx.database.db, typed)
  } catch (error) {
    await ctx.limits.countAttempt(key, WRONG_CODES, WRONG_CODES_SECONDS)
    throw error
  }
}

/** The owner of a referral code. Throws Refusal 422 at the field for an unknown one. */
export async function findInviter(db: Db, typed: string): Promise<UserRecord> {
  const code = parseReferralCode(typed)
  const inviter = code === null ? undefined : await findUserByReferralCode(db, code)
  if (!inviter)
    throw refuseField('referralCode', 'referral_code_unknown', 'This referral code does not exist')
  return inviter
}

/** Newest first; pages count from 1. */
export const invitedIdsPage = (
  db: Db,
  userId: number,
  page: number,
  limit: number,
): Promise<IdPage> => selectInvited(db, userId, (page - 1) * limit, limit)

/** Who has invited the most of the newest `counted` sign-ups with a code; pages count from 1. */
export const referrersPage = (
  db: Db,
  page: number,
  limit: number,
  counted: { counted: number; recentDays: number; latest: number; weeks: number },
): ReturnType<typeof selectReferrers> =>
  selectReferrers(db, { offset: (page - 1) * limit, limit, ...counted })

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
