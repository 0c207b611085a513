import {
  cancelEmailChange as cancelEmailChangeCall,
  cancelInvitation as cancelInvitationCall,
  changeEmail,
  correctEmail as correctEmailCall,
  emailStatus,
  inviteUser as inviteUserCall,
  resendInvitation as resendInvitationCall,
  resendVerification,
  sendResetLink as sendResetLinkCall,
  undoEmailChange as undoEmailChangeCall,
  verifyEmail,
} from '#contract/email-ownership.ts'
import type { Router } from '#server/platform/http/router.ts'
import {
  askEmailChange,
  cancelEmailChange,
  emailStatusOf,
  finishEmailChange,
  undoEmailChange,
} from './email-change.ts'
import { requireLink, resendVerifyLink, verifyAddress } from './email-verification.ts'
import type { AccountsContext } from './service.ts'
import {
  cancelInvitation,
  correctEmail,
  inviteUser,
  resendInvitation,
  sendResetLink,
} from './user-invitations.ts'
import { requestOriginOf, userLineWire } from './wire.ts'

export function registerEmailRoutes(router: Router, ctx: AccountsContext): void {
  adminRoutes(router, ctx)

  router.handle(emailStatus, async ({ params }) => {
    const { isVerified, isNeeded, pending } = await emailStatusOf(ctx, Number(params.userId))
    return {
      verified: isVerified,
      needed: isNeeded,
      pending: pending && { email: pending.email, expires: pending.until.toISOString() },
    }
  })

  router.handle(verifyEmail, async ({ body, address, request }) => {
    const origin = requestOriginOf(address, request.headers)
    const link = await requireLink(ctx, body.token, ['verify', 'change'], origin)
    if (link.purpose === 'verify') {
      await verifyAddress(ctx, link, origin)
      return { ok: true, message: 'Your email address is verified.' }
    }
    await finishEmailChange(ctx, link, origin)
    return { ok: true, message: 'Your email address is changed. Sign in with it from now on.' }
  })

  router.handle(resendVerification, async ({ params }) => {
    const isSent = await resendVerifyLink(ctx, Number(params.userId))
    return {
      ok: true,
      message: isSent
        ? 'The link is on its way. Check your spam folder too.'
        : 'Your email address is already verified.',
    }
  })

  router.handle(changeEmail, async ({ body, caller, address, request }) => {
    await askEmailChange(ctx, caller, body, requestOriginOf(address, request.headers))
    return {
      ok: true,
      message: 'We sent a link to the new address. Open it within 3 days to finish the change.',
    }
  })

  router.handle(cancelEmailChangeCall, async ({ caller }) => {
    await cancelEmailChange(ctx, caller)
    return { ok: true, message: 'The change is canceled. Your address stays the same.' }
  })

  router.handle(undoEmailChangeCall, async ({ body, address, request }) => {
    await undoEmailChange(ctx, body.token, requestOriginOf(address, request.headers))
    return {
      ok: true,
      message:
        'Your account has this address, and all devices are signed out. We sent you a link to choose a new password.',
    }
  })
}

function adminRoutes(router: Router, ctx: AccountsContext): void {
  router.handle(correctEmailCall, async ({ params, body, caller }) => {
    const user = await correctEmail(ctx, caller, Number(params.userId), body)
    const message = 'Email corrected. A link to verify it is on its way.'
    return { ok: true, message, user: userLineWire(user) }
  })

  router.handle(sendResetLinkCall, async ({ params, caller }) => {
    await sendResetLink(ctx, caller, Number(params.userId))
    return { ok: true, message: 'A link to choose a new password is on its way to the user.' }
  })

  router.handle(inviteUserCall, async ({ body, caller }) => {
    const user = await inviteUser(ctx, caller, { ...body, role: body.user_role })
    return {
      ok: true,
      message: 'Invitation sent. It is valid for 3 days.',
      user: userLineWire(user),
    }
  })

  router.handle(resendInvitationCall, async ({ params, caller }) => {
    await resendInvitation(ctx, caller, Number(params.userId))
    return { ok: true, message: 'The invitation is on its way again.' }
  })

  router.handle(cancelInvitationCall, async ({ params, caller }) => {
    await cancelInvitation(ctx, caller, Number(params.userId))
    return { ok: true, message: 'Invitation canceled' }
  })
}
