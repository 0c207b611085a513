/** Proof of email addresses, changes of them, and what administrators do about them. */
import * as z from 'zod'
import { AdminUser, REASON_MAX } from './accounts.ts'
import { defineEndpoint, MessageResponse, Moment, UserParams } from './endpoint.ts'

const Email = z.string().max(1000)
const Token = z.string().max(200)

/**
 * `needed`: no money can be added until the address is verified. `pending`: a new address whose
 * link was not opened yet.
 */
export const EmailStatus = z.object({
  verified: z.boolean(),
  needed: z.boolean(),
  pending: z.object({ email: z.string(), expires: Moment }).nullable(),
})
export type EmailStatus = z.output<typeof EmailStatus>

export const emailStatus = defineEndpoint({
  name: 'emailStatus',
  method: 'GET',
  path: '/api/auth/email/:userId',
  access: 'self',
  refusals: [404],
  summary: 'Get whether the email address is verified, and a change of it that waits',
  params: UserParams,
  response: EmailStatus,
})

export const verifyEmail = defineEndpoint({
  name: 'verifyEmail',
  method: 'POST',
  path: '/api/auth/verify-email',
  access: 'anyone',
  refusals: [409, 422],
  summary:
    'Verify an address, or finish a change of it, with the token of a mailed link. A second call changes nothing. '
    + '409 if the address belongs to another account meanwhile',
  otherStatuses: { 403: 'The account is blocked' },
  body: z.object({ token: Token }),
  response: MessageResponse,
})

export const resendVerification = defineEndpoint({
  name: 'resendVerification',
  method: 'POST',
  path: '/api/auth/verify-email/resend/:userId',
  access: 'self',
  summary:
    'Send the link that verifies the address again. Many requests are answered and send none',
  params: UserParams,
  response: MessageResponse,
})

export const changeEmail = defineEndpoint({
  name: 'changeEmail',
  method: 'POST',
  path: '/api/auth/email/:userId',
  access: 'self',
  refusesImpersonation: true,
  proof: true,
  refusals: [422],
  summary:
    'Ask for another email address. A link to it makes the change. '
    + 'The response is the same whether or not the address has an account',
  params: UserParams,
  body: z.object({ email: Email, currentPassword: z.string().max(1000) }),
  response: MessageResponse,
})

export const cancelEmailChange = defineEndpoint({
  name: 'cancelEmailChange',
  method: 'POST',
  path: '/api/auth/email/:userId/cancel',
  access: 'self',
  refusesImpersonation: true,
  summary: 'Cancel a change of the email address that waits for its link',
  params: UserParams,
  response: MessageResponse,
})

export const undoEmailChange = defineEndpoint({
  name: 'undoEmailChange',
  method: 'POST',
  path: '/api/auth/undo-email-change',
  access: 'anyone',
  refusals: [422],
  summary:
    'Stop or undo a change of the email address with the token mailed to the old one. '
    + 'All sessions end and a link for a new password is mailed',
  body: z.object({ token: Token }),
  response: MessageResponse,
})

const AdminUserResponse = MessageResponse.extend({ user: AdminUser })

export const correctEmail = defineEndpoint({
  name: 'correctEmail',
  method: 'POST',
  path: '/api/auth/users/email/:userId',
  access: 'admin',
  proof: true,
  refusals: [404, 409, 422],
  summary:
    "Correct a user's email address. It is unverified until a link mailed to it is opened; "
    + 'all sessions of the user end. 403 for administrators, 409 for a taken address and for an invited user who is blocked',
  params: UserParams,
  body: z.object({ email: Email, reason: z.string().max(REASON_MAX) }),
  response: AdminUserResponse,
})

export const sendResetLink = defineEndpoint({
  name: 'sendResetLink',
  method: 'POST',
  path: '/api/auth/users/reset-link/:userId',
  access: 'admin',
  refusals: [404, 409],
  summary:
    'Mail a user a link to choose a new password, at most one a minute. 409 for a blocked or invited user',
  params: UserParams,
  response: MessageResponse,
})

export const INVITED_ROLES = ['user', 'friend'] as const
export type InvitedRole = (typeof INVITED_ROLES)[number]

const INVITATIONS = '/api/auth/users/invite'

export const inviteUser = defineEndpoint({
  name: 'inviteUser',
  method: 'POST',
  path: INVITATIONS,
  access: 'admin',
  proof: true,
  refusals: [409, 422],
  summary:
    'Create a user without a password and mail a link to choose one, valid for 3 days. 409 for a taken address',
  body: z.object({
    name: z.string().max(1000),
    email: Email,
    user_role: z.enum(INVITED_ROLES),
  }),
  response: AdminUserResponse,
})

export const resendInvitation = defineEndpoint({
  name: 'resendInvitation',
  method: 'POST',
  path: `${INVITATIONS}/:userId/resend`,
  access: 'admin',
  refusals: [404, 409],
  summary:
    'Mail an invitation again, at most once a minute; the earlier link ends. 409 once it was accepted',
  params: UserParams,
  response: MessageResponse,
})

export const cancelInvitation = defineEndpoint({
  name: 'cancelInvitation',
  method: 'POST',
  path: `${INVITATIONS}/:userId/cancel`,
  access: 'admin',
  refusals: [404, 409],
  summary: 'Cancel an invitation and delete its account. 409 once it was accepted',
  params: UserParams,
  response: MessageResponse,
})
