import {
  deleteUser as deleteUserCall,
  listUsers,
  loginAs,
  setActivation,
  setDetails,
  setRole,
} from '#contract/accounts.ts'
import { auditTrail } from '#contract/audit.ts'
import { fromDollars, usd, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { Door } from '#server/platform/http.ts'
import { signInAs } from './acting.ts'
import {
  changeActivation,
  changeDetails,
  changeRole,
  deleteUser,
  usersPage,
} from './administration.ts'
import { giveCookie } from './cookie.ts'
import type { AccountsHouse, User } from './service.ts'
import { trailPage } from './trail.ts'
import { auditWire, personWire, userLineWire, userWire, visitOf } from './wire.ts'

/** The administrators' calls about users. */
export function accountAdminRoutes(door: Door, house: AccountsHouse): void {
  const { db } = house.database

  door.answer(listUsers, async ({ query, reply }) => {
    const { users, total } = await usersPage(db, {
      page: query.page,
      limit: query.limit,
      search: query.search ?? '',
      role: query.user_role ?? null,
      activation: query.activation ?? null,
      sort: query.sort,
      descending: query.order === 'desc',
    })
    reply.header('x-total-count', String(total))
    return users.map(userLineWire)
  })

  door.answer(setRole, async ({ params, body, caller }) =>
    updated(await changeRole(house, caller, Number(params.userId), body.user_role)),
  )

  door.answer(setActivation, async ({ params, body, caller }) =>
    updated(await changeActivation(house, caller, Number(params.userId), body.activation)),
  )

  door.answer(setDetails, async ({ params, body, caller }) =>
    updated(
      await changeDetails(house, caller, Number(params.userId), {
        balance: centsOf(body.balance),
        seen: centsOf(body.seenBalance),
        reason: body.reason ?? '',
        referralCode: body.referralCode,
      }),
    ),
  )

  door.answer(deleteUserCall, async ({ params, caller }) => {
    const left = await deleteUser(house, caller, Number(params.userId))
    return {
      ok: true,
      message:
        left > ZERO
          ? `User deleted. The ${usd(left)} that was left stays on the books.`
          : 'User deleted',
    }
  })

  door.answer(loginAs, async ({ params, body, caller, address, request, reply }) => {
    const visit = visitOf(address, request.headers)
    const { token, expiresAt, user, actor } = await signInAs(
      house,
      caller,
      Number(params.userId),
      body?.reason ?? '',
      visit,
    )
    giveCookie(house, reply, token)
    return {
      token,
      user: userWire(user),
      actor: personWire(actor),
      expiresAt: expiresAt.toISOString(),
    }
  })

  door.answer(auditTrail, async ({ query }) => {
    const { entries, total, more } = await trailPage(db, query)
    return { entries: entries.map(auditWire), totalCount: total, more }
  })
}

const updated = (user: User) => ({
  ok: true as const,
  message: 'User details updated successfully!',
  user: userWire(user),
})

/** The contract lets no third decimal through. */
const centsOf = (value: number | undefined): Cents | undefined =>
  value === undefined ? undefined : (fromDollars(value) ?? undefined)
