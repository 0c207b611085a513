import { dollars } from '#contract/money.ts'
import { applyReferral, invitedUsers, referralCode } from '#contract/referrals.ts'
import { userOf } from '#server/accounts/service.ts'
import { userWire } from '#server/accounts/wire.ts'
import type { Router } from '#server/platform/http/router.ts'
import { setInviterByCode, invitedUsersPage } from './service.ts'
import type { ReferralsContext } from './service.ts'

export function registerReferralRoutes(router: Router, ctx: ReferralsContext): void {
  const { db } = ctx.database

  router.handle(invitedUsers, async ({ params, query, reply }) => {
    const { users, total } = await invitedUsersPage(
      db,
      Number(params.userId),
      query.page,
      query.limit,
    )
    reply.header('x-total-count', String(total))
    return users.map(user => ({
      name: user.name,
      registeredDate: user.createdAt.toISOString(),
      totalDeposit: dollars(user.wallet.deposited),
    }))
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
