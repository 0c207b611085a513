import {
  endSessions,
  forgotPassword,
  listDevices,
  login,
  logout,
  register,
  resetPassword,
  saveAccount,
  verifySession,
} from '#contract/accounts.ts'
import type { LongAnswers } from '#server/platform/http/long-answers.ts'
import type { Router } from '#server/platform/http/router.ts'
import { registerAccountAdminRoutes } from './admin-routes.ts'
import { rememberBrowser } from './device-cookie.ts'
import { setDownloadCookie, clearDownloadCookie } from './download-cookie.ts'
import { registerEmailRoutes } from './email-routes.ts'
import { changeAccount, devicesFor, signOutDevice, signOutOtherDevices } from './own-account.ts'
import { requestPasswordReset, redeemResetLink } from './password-reset.ts'
import { registerSecondFactorRoutes } from './second-factor-routes.ts'
import { registerUser, signIn, signOut, userOf } from './service.ts'
import type { AccountsContext } from './service.ts'
import { deviceWire, personWire, userWire, requestOriginOf } from './wire.ts'

export function registerAccountRoutes(
  router: Router,
  ctx: AccountsContext,
  answers: LongAnswers,
): void {
  const { db } = ctx.database
  registerAccountAdminRoutes(router, ctx, answers)
  registerSecondFactorRoutes(router, ctx)
  registerEmailRoutes(router, ctx)

  router.handle(login, async ({ body, address, request, reply }) => {
    const origin = requestOriginOf(address, request.headers)
    const result = await signIn(ctx, body.email, body.password, origin)
    if (result.asked) {
      reply.code(202)
      return result.asked
    }
    const { token, user } = result
    await rememberBrowser(ctx, reply, user.id, origin)
    setDownloadCookie(ctx, reply, token)
    return { token, user: userWire(user) }
  })

  router.handle(verifySession, async ({ caller, token, reply }) => {
    const user = await userOf(db, caller.userId)
    const actor =
      caller.impersonatorId === null ? null : personWire(await userOf(db, caller.impersonatorId))
    setDownloadCookie(ctx, reply, token)
    const secondFactorRequired = caller.assurance?.lacksFactor === true
    return { user: userWire(user), actor, secondFactorRequired }
  })

  router.handle(register, async ({ body, address, request, reply }) => {
    const origin = requestOriginOf(address, request.headers)
    const { token, user } = await registerUser(
      ctx,
      { ...body, referralCode: body.referralCode ?? '' },
      origin,
    )
    await rememberBrowser(ctx, reply, user.id, origin)
    setDownloadCookie(ctx, reply, token)
    return { ok: true, token, user: userWire(user), message: 'Welcome! Your account is ready.' }
  })

  router.handle(logout, async ({ caller, token, address, request, reply }) => {
    await signOut(ctx, caller, requestOriginOf(address, request.headers))
    clearDownloadCookie(ctx, request, reply, token)
    return { ok: true, message: 'You have signed out' }
  })

  passwordRoutes(router, ctx)
  passwordResetRoutes(router, ctx)
  deviceRoutes(router, ctx)
}

function passwordResetRoutes(router: Router, ctx: AccountsContext): void {
  router.handle(forgotPassword, async ({ body, address, request }) => {
    await requestPasswordReset(ctx, body.email, requestOriginOf(address, request.headers))
    return {
      ok: true,
      message: 'If this email has an account, a link is on its way.',
    }
  })

  router.handle(resetPassword, async ({ body, address, request, reply }) => {
    const origin = requestOriginOf(address, request.headers)
    const userId = await redeemResetLink(ctx, body.token, body.password, origin)
    await rememberBrowser(ctx, reply, userId, origin)
    return { ok: true, message: 'Password changed. Sign in with your new password.' }
  })
}

function passwordRoutes(router: Router, ctx: AccountsContext): void {
  router.handle(saveAccount, async ({ body, caller, address, request, reply }) => {
    const update = {
      name: body.name,
      password: body.password ?? '',
      currentPassword: body.currentPassword ?? '',
    }
    const user = await changeAccount(ctx, caller, update)
    if (update.password !== '')
      await rememberBrowser(ctx, reply, user.id, requestOriginOf(address, request.headers))
    return { ok: true, message: 'Account updated successfully!', user: userWire(user) }
  })
}

function deviceRoutes(router: Router, ctx: AccountsContext): void {
  router.handle(listDevices, async ({ params, caller }) => ({
    sessions: (await devicesFor(ctx.database.db, caller, Number(params.userId))).map(deviceWire),
  }))

  router.handle(endSessions, async ({ params, body, caller }) => {
    const userId = Number(params.userId)
    if (!body?.sessionId) return signedOutAnswer(await signOutOtherDevices(ctx, caller, userId))
    await signOutDevice(ctx, caller, userId, Number(body.sessionId))
    return signedOutAnswer(1)
  })
}

const signedOutAnswer = (ended: number) => {
  const message =
    ended === 0
      ? 'No other device was signed in'
      : ended === 1
        ? '1 device signed out'
        : `${ended} devices signed out`
  return { ok: true as const, message, ended }
}
