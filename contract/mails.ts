import * as z from 'zod'
import { UserSummary } from './accounts.ts'
import { defineEndpoint, Id, MessageResponse, Moment } from './endpoint.ts'

/** Every kind of email, with its name on screens. A new kind is added here first. */
export const MAIL_KIND_NAMES = {
  'password-reset': 'Link to reset a password',
  'verify-email': 'Link to verify an email address',
  'email-change': 'Link to confirm a new email address',
  'email-notice': 'Notice of a changed email address',
  'email-taken': 'Notice of an address entered for another account',
  invitation: 'Invitation to an account',
  'password-changed': 'Notice of a changed password',
  'second-factor': 'Notice of a changed second factor',
  'key-created': 'Notice of a new API key',
  'second-factor-guessed': 'Warning of guesses at a second factor',
  'webhook-off': 'Notice of a webhook that was switched off',
  'support-message': 'Message to support',
  'parcel-update': 'News of a parcel for its receiver',
} as const
export type MailKind = keyof typeof MAIL_KIND_NAMES

/**
 * An email that waits, or that could not be sent within the last three days. `recipient`: masked,
 * null once it is erased; `why`: a sentence about the last attempt, null before the first one;
 * `nextAttempt`: null when it failed for good; `retryable`: it can still be sent.
 */
export const OpenMail = z.object({
  _id: Id,
  kind: z.string(),
  recipient: z.string().nullable(),
  user: UserSummary.nullable(),
  since: Moment,
  attempts: z.number(),
  nextAttempt: Moment.nullable(),
  why: z.string().nullable(),
  expires: Moment,
  failed: z.boolean(),
  retryable: z.boolean(),
})
export type OpenMail = z.output<typeof OpenMail>

export const listMails = defineEndpoint({
  name: 'listMails',
  method: 'GET',
  path: '/api/admin/mails',
  access: 'admin',
  summary:
    'List emails that wait or could not be sent, oldest first; with due=overdue only those that failed or wait for over 5 minutes',
  query: z.object({
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number().int().min(1).max(1_000).default(100),
    due: z.enum(['all', 'overdue']).default('all'),
  }),
  response: z.object({ mails: z.array(OpenMail), totalCount: z.number() }),
})

const MailParams = z.object({ id: Id })

export const retryMail = defineEndpoint({
  name: 'retryMail',
  method: 'POST',
  path: '/api/admin/mails/:id/retry',
  access: 'admin',
  refusals: [404, 409],
  summary: 'Try to send an email now. 409 if it was sent meanwhile or has expired',
  params: MailParams,
  response: MessageResponse,
})

export const cancelMail = defineEndpoint({
  name: 'cancelMail',
  method: 'POST',
  path: '/api/admin/mails/:id/cancel',
  access: 'admin',
  refusals: [404, 409],
  summary:
    'Cancel an email, or remove a failed one from the list. 409 if it was sent or is being sent',
  params: MailParams,
  response: MessageResponse,
})
