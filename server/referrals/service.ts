import { sum } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import {
  COUNTED_SIGN_UPS,
  LATEST_SIGN_UPS,
  RECENT_SIGN_UP_DAYS,
  SIGN_UP_WEEKS,
} from '#contract/referrals.ts'
import {
  invitedIdsPage,
  referrersPage,
  findInviterFor,
  lockInvitee,
  recordInviter,
} from '#server/accounts/invitations.ts'
import { userOf, usersByIds } from '#server/accounts/service.ts'
import type { UserWithWallet } from '#server/accounts/service.ts'
import { walletsOf } from '#server/ledger/service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Db } from '#server/platform/database/database.ts'
import { refuseField } from '#server/platform/http/refusal.ts'
import type { RequestLimits } from '#server/platform/http/request-limits.ts'
import { actorIdOf } from '#server/platform/http/router.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { referralError } from './rules.ts'

export type ReferralsContext = Context & { limits: RequestLimits }

/** Newest first; pages count from 1. */
export async function findInvitedIds(
  db: Db,
  userId: number,
  page: number,
  limit: number,
): Promise<{ ids: number[]; total: number }> {
  await userOf(db, userId)
  return invitedIdsPage(db, userId, page, limit)
}

/** More invited users than this are counted, and their deposits are not added up. */
const MOST_ADDED_UP = 10_000

/** The invited users and their deposits; `deposited` is null for more than 10,000. */
export async function readInvitedTotals(
  db: Db,
  userId: number,
): Promise<{ users: number; deposited: Cents | null }> {
  const { ids, total: users } = await findInvitedIds(db, userId, 1, MOST_ADDED_UP)
  if (users > MOST_ADDED_UP) return { users, deposited: null }
  const wallets = await walletsOf(db, ids)
  return { users, deposited: sum([...wallets.values()].map(wallet => wallet.deposited)) }
}

export type Referrer = {
  user: UserWithWallet
  users: number
  deposited: Cents
  newestAt: Date
}

/** As `referrersPage`, with the users; `latest` with the user whose code they used. */
export async function listReferrersOf(
  db: Db,
  page: number,
  limit: number,
): Promise<{
  referrers: Referrer[]
  total: number
  signUps: number
  recent: number
  perWeek: number[]
  latest: { user: UserWithWallet; referrer: UserWithWallet }[]
}> {
  const {
    rows,
    latest: newest,
    ...counts
  } = await referrersPage(db, page, limit, {
    counted: COUNTED_SIGN_UPS,
    recentDays: RECENT_SIGN_UP_DAYS,
    latest: LATEST_SIGN_UPS,
    weeks: SIGN_UP_WEEKS,
  })
  const ids = [
    ...rows.map(({ id }) => id),
    ...newest.flatMap(({ id, referrerId }) => [id, referrerId]),
  ]
  const users = new Map((await usersByIds(db, [...new Set(ids)])).map(one => [one.id, one]))
  const referrers = rows.flatMap(({ id, ...counted }) => {
    const user = users.get(id)
    return user ? [{ user, ...counted }] : []
  })
  const latest = newest.flatMap(({ id, referrerId }) => {
    const [user, referrer] = [users.get(id), users.get(referrerId)]
    return user && referrer ? [{ user, referrer }] : []
  })
  return { referrers, latest, ...counts }
}

/**
 * Records the owner of the code as the caller's inviter. Throws Refusal 422 at the
 * field.
 */
export async function setInviterByCode(
  ctx: ReferralsContext,
  caller: Caller,
  typed: string,
): Promise<UserWithWallet> {
  const { userId } = caller
  if (typed.trim() === '')
    throw refuseField('referralCode', 'required', 'Referral Code is required')
  const inviter = await findInviterFor(ctx, `user:${userId}`, typed)
  await ctx.database.tx(async tx => {
    const { user, isAboveInviter } = await lockInvitee(tx, userId, inviter.id)
    // For a user deleted in the meantime, userOf below throws.
    if (!user) return
    const problem = referralError(user, inviter.id, isAboveInviter)
    if (problem) throw refuseField('referralCode', 'referral_code_not_allowed', problem)
    await recordInviter(tx, user, inviter, actorIdOf(caller))
  })
  return userOf(ctx.database.db, userId)
}
