import { dollars } from '#contract/money.ts'
import { applyReferral, invitedUsers, referralCode } from '#contract/referrals.ts'
import { userOf } from '#server/accounts/service.ts'
import { userWire } from '#server/accounts/wire.ts'
import type { House } from '#server/platform/house.ts'
import type { Door } from '#server/platform/http.ts'
import { applyCode, invitedPage } from './service.ts'

export function referralRoutes(door: Door, house: House): void {
  const { db } = house.database

  door.answer(invitedUsers, async ({ params, query, reply }) => {
    const { users, total } = await invitedPage(db, Number(params.userId), query.page, query.limit)
    reply.header('x-total-count', String(total))
    return users.map(user => ({
      name: user.name,
      registeredDate: user.createdAt.toISOString(),
      totalDeposit: dollars(user.wallet.deposited),
    }))
  })

  door.answer(referralCode, async ({ params }) => ({
    referralCode: (await userOf(db, Number(params.userId))).referralCode,
  }))

  door.answer(applyReferral, async ({ body, caller, token }) => {
    const user = await applyCode(house, caller, body.referralCode)
    return {
      success: true,
      token,
      user: userWire(user),
      message: 'Referral code applied successfully!',
    }
  })
}
