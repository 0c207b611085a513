import { dollars } from '#contract/money.ts'
import {
  applyReferral,
  invitedTotals,
  invitedUsers,
  listReferrers,
  referralCode,
} from '#contract/referrals.ts'
import { userOf, usersByIds } from '#server/accounts/service.ts'
import { personWire, userWire } from '#server/accounts/wire.ts'
import { pagesOf } from '#server/platform/http/long-answers.ts'
import type { LongAnswers } from '#server/platform/http/long-answers.ts'
import type { Router } from '#server/platform/http/router.ts'
import { findInvitedIds, listReferrersOf, readInvitedTotals, setInviterByCode } from './service.ts'
import type { ReferralsContext } from './service.ts'

export function registerReferralRoutes(
  router: Router,
  ctx: ReferralsContext,
  answers: LongAnswers,
): void {
  const { db } = ctx.database

  router.handle(invitedUsers, async request => {
    const { page, limit } = request.query
    const { ids, total } = await findInvitedIds(db, Number(request.params.userId), page, limit)
    request.reply.header('x-total-count', String(total))
    return answers.list(invitedUsers, request, {
      count: ids.length,
      pages: pagesOf(ids, some => usersByIds(db, some)),
      listName: null,
      wrap: users =>
        users.map(user => ({
          name: user.name,
          registeredDate: user.createdAt.toISOString(),
          totalDeposit: dollars(user.wallet.deposited),
        })),
    })
  })

  router.handle(invitedTotals, async ({ params }) => {
    const { users, deposited } = await readInvitedTotals(db, Number(params.userId))
    return { users, totalDeposit: deposited === null ? null : dollars(deposited) }
  })

  router.handle(listReferrers, async ({ query: { page, limit } }) => {
    const { referrers, total, signUps, recent, perWeek, latest } = await listReferrersOf(
      db,
      page,
      limit,
    )
    return {
      referrers: referrers.map(({ user, users, deposited, newestAt }) => ({
        user: personWire(user),
        referralCode: user.referralCode,
        users,
        totalDeposit: dollars(deposited),
        newestAt: newestAt.toISOString(),
      })),
      totalCount: total,
      signUps,
      recentSignUps: recent,
      signUpsPerWeek: perWeek,
      latest: latest.map(({ user, referrer }) => ({
        user: personWire(user),
        referrer: personWire(referrer),
        totalDeposit: dollars(user.wallet.deposited),
        at: user.createdAt.toISOString(),
      })),
    }
  })

  router.handle(referralCode, async ({ params }) => ({
    referralCode: (await userOf(db, Number(params.userId))).referralCode,
  }))

  router.handle(applyReferral, async ({ body, caller, token }) => {
    const user = await setInviterByCode(ctx, caller, body.referralCode)
    return {
      success: true,
      token,
      user: userWire(user),
      message: 'Referral code applied successfully!',
    }
  })
}
