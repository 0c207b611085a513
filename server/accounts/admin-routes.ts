import {
  confirmBalanceRequest,
  declineBalanceRequest,
  deleteUser as deleteUserCall,
  listBalanceRequests,
  listUsers,
  loginAs,
  setUserActivation,
  setUserDetails,
  setUserRole,
} from '#contract/accounts.ts'
import { listAuditEntries } from '#contract/audit.ts'
import { fromDollars, usd, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { pagesOf } from '#server/platform/http/long-answers.ts'
import type { LongAnswers } from '#server/platform/http/long-answers.ts'
import type { Router } from '#server/platform/http/router.ts'
import {
  changeActivation,
  changeDetails,
  changeRole,
  deleteUser,
  userIdsPage,
} from './administration.ts'
import { auditEntriesByIds, auditIdsPage } from './audit-list.ts'
import { confirmRequest, declineRequest, openBalanceRequests } from './balance-adjustments.ts'
import type { AdjustmentOutcome } from './balance-adjustments.ts'
import { setDownloadCookie } from './download-cookie.ts'
import { startImpersonation } from './impersonation.ts'
import { usersByIds } from './service.ts'
import type { AccountsContext, UserWithWallet } from './service.ts'
import {
  auditWire,
  balanceRequestWire,
  personWire,
  userLineWire,
  userWire,
  requestOriginOf,
} from './wire.ts'

export function registerAccountAdminRoutes(
  router: Router,
  ctx: AccountsContext,
  answers: LongAnswers,
): void {
  listRoutes(router, ctx, answers)

  router.handle(setUserRole, async ({ params, body, caller }) =>
    userUpdatedAnswer(await changeRole(ctx, caller, Number(params.userId), body.user_role)),
  )

  router.handle(setUserActivation, async ({ params, body, caller }) =>
    userUpdatedAnswer(await changeActivation(ctx, caller, Number(params.userId), body.activation)),
  )

  balanceRoutes(router, ctx)

  router.handle(deleteUserCall, async ({ params, caller }) => {
    const balanceLeft = await deleteUser(ctx, caller, Number(params.userId))
    return {
      ok: true,
      message:
        balanceLeft > ZERO
          ? `User deleted. The remaining ${usd(balanceLeft)} stays on the books.`
          : 'User deleted',
    }
  })

  router.handle(loginAs, async ({ params, body, caller, address, request, reply }) => {
    const origin = requestOriginOf(address, request.headers)
    const { token, expiresAt, user, impersonator } = await startImpersonation(
      ctx,
      caller,
      Number(params.userId),
      body?.reason ?? '',
      origin,
    )
    setDownloadCookie(ctx, reply, token)
    return {
      token,
      user: userWire(user),
      actor: personWire(impersonator),
      expiresAt: expiresAt.toISOString(),
    }
  })
}

function listRoutes(router: Router, ctx: AccountsContext, answers: LongAnswers): void {
  const { db } = ctx.database
  router.handle(listUsers, async request => {
    const { query, reply } = request
    const { ids, total } = await userIdsPage(db, {
      page: query.page,
      limit: query.limit,
      search: query.search ?? '',
      role: query.user_role ?? null,
      status: query.activation ?? null,
      sort: query.sort,
      descending: query.order === 'desc',
    })
    reply.header('x-total-count', String(total))
    return answers.list(listUsers, request, {
      count: ids.length,
      pages: pagesOf(ids, some => usersByIds(db, some, query.activation === 'deleted')),
      listName: null,
      wrap: users => users.map(userLineWire),
    })
  })

  router.handle(listAuditEntries, async request => {
    const { ids, total, more, moreUsers } = await auditIdsPage(db, request.query)
    return answers.list(listAuditEntries, request, {
      count: ids.length,
      pages: pagesOf(ids, some => auditEntriesByIds(db, some)),
      listName: 'entries',
      wrap: entries => ({ entries: entries.map(auditWire), totalCount: total, more, moreUsers }),
    })
  })
}

function balanceRoutes(router: Router, ctx: AccountsContext): void {
  router.handle(setUserDetails, async ({ params, body, caller, reply }) => {
    const { user, outcome } = await changeDetails(ctx, caller, Number(params.userId), {
      balance: optionalCents(body.balance),
      expectedBalance: optionalCents(body.seenBalance),
      reason: body.reason ?? '',
      referralCode: body.referralCode,
    })
    if (outcome === 'booked') return userUpdatedAnswer(user)
    reply.code(202)
    return { ok: true, message: waitsForSecond(ctx, outcome), user: userWire(user) }
  })

  router.handle(listBalanceRequests, async ({ caller }) => ({
    requests: (await openBalanceRequests(ctx.database.db)).map(request =>
      balanceRequestWire(request, caller.userId),
    ),
  }))

  router.handle(confirmBalanceRequest, async ({ params, caller }) =>
    userUpdatedAnswer(await confirmRequest(ctx, caller, Number(params.requestId))),
  )

  router.handle(declineBalanceRequest, async ({ params, body, caller }) => {
    const outcome = await declineRequest(ctx, caller, Number(params.requestId), body?.reason ?? '')
    return { ok: true, message: `The change was ${outcome}. The balance stays the same.` }
  })
}

const waitsForSecond = ({ config }: AccountsContext, outcome: AdjustmentOutcome): string =>
  (outcome === 'new-administrator'
    ? 'You have been an administrator for less than 24 hours. '
    : `This is more than the ${usd(config.adjustmentDailyLimit ?? ZERO)} that one administrator may adjust in 24 hours. `)
  + 'The balance changes once another administrator confirms it.'

const userUpdatedAnswer = (user: UserWithWallet) => ({
  ok: true as const,
  message: 'User details updated successfully!',
  user: userWire(user),
})

const optionalCents = (value: number | undefined): Cents | undefined =>
  value === undefined ? undefined : (fromDollars(value) ?? undefined)
