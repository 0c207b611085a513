/** The audit: who did what to whom. Entries are never changed. */
import * as z from 'zod'
import { UserSummary } from './accounts.ts'
import { defineEndpoint, Id, Moment, PageQuery } from './endpoint.ts'

export const AUDIT_KINDS = [
  'sign-in',
  'denied',
  'money',
  'prices',
  'users',
  'log-in-as',
  'labels',
  'account',
] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]

export const AUDIT_ACTIONS = {
  login: 'sign-in',
  logout: 'sign-in',
  register: 'sign-in',
  'second-factor-asked': 'sign-in',
  proven: 'sign-in',
  'sign-out-device': 'sign-in',
  'sign-out-everywhere': 'sign-in',
  'forgot-password': 'sign-in',
  'reset-password': 'sign-in',
  'invitation-accepted': 'sign-in',
  'login-denied': 'denied',
  'login-blocked': 'denied',
  'login-throttled': 'denied',
  'reset-denied': 'denied',
  'email-link-denied': 'denied',
  'second-factor-denied': 'denied',
  'proof-denied': 'denied',
  forbidden: 'denied',
  'deposit-credited': 'money',
  'deposit-reversed': 'money',
  'deposit-dismissed': 'money',
  adjusted: 'money',
  'adjustment-requested': 'money',
  'adjustment-declined': 'money',
  deposit: 'money',
  'service-enabled': 'prices',
  'service-disabled': 'prices',
  'service-renamed': 'prices',
  'service-priced': 'prices',
  'services-synchronized': 'prices',
  'services-initialized': 'prices',
  'services-reset': 'prices',
  'first-administrator': 'users',
  role: 'users',
  allow: 'users',
  'mail-retried': 'users',
  'mail-canceled': 'users',
  block: 'users',
  deleted: 'users',
  'referral-code': 'users',
  'email-corrected': 'users',
  'reset-link-sent': 'users',
  'user-invited': 'users',
  'invitation-resent': 'users',
  'invitation-canceled': 'users',
  'administrator-request': 'users',
  'administrator-download': 'users',
  'addresses-read': 'users',
  'columns-read': 'users',
  'statement-read': 'users',
  'label-read': 'users',
  exported: 'users',
  'login-as': 'log-in-as',
  'login-as-ended': 'log-in-as',
  'acted-as': 'log-in-as',
  'void-requested': 'labels',
  'label-checked': 'labels',
  'label-ended': 'labels',
  'void-ended': 'labels',
  'files-made-again': 'labels',
  'carrier-tried': 'labels',
  name: 'account',
  password: 'account',
  'email-verified': 'account',
  'email-change-asked': 'account',
  'email-change-canceled': 'account',
  'email-changed': 'account',
  'email-change-undone': 'account',
  referral: 'account',
  'factor-added': 'account',
  'factor-renamed': 'account',
  'factor-removed': 'account',
  'factors-unlocked': 'account',
  'recovery-codes': 'account',
  'recovery-code-used': 'account',
} as const satisfies Record<string, AuditKind>
export type AuditAction = keyof typeof AUDIT_ACTIONS

/**
 * `actor`: null for the system and for unknown visitors. `subject`: the user it was done to.
 * `text`: the action in words. `detail`: stored figures and names.
 */
export const AuditEntry = z.object({
  _id: Id,
  at: Moment,
  action: z.string(),
  kind: z.enum(AUDIT_KINDS),
  text: z.string(),
  actor: UserSummary.nullable(),
  subject: UserSummary.nullable(),
  detail: z.record(z.string(), z.unknown()),
})
export type AuditEntry = z.output<typeof AuditEntry>

export const listAuditEntries = defineEndpoint({
  name: 'listAuditEntries',
  method: 'GET',
  path: '/api/admin/audit',
  access: 'admin',
  summary: 'List audit entries, newest first. userId matches actor and subject',
  query: PageQuery.extend({
    kind: z.enum(AUDIT_KINDS).optional(),
    userId: Id.optional(),
    from: Moment.optional(),
    to: Moment.optional(),
  }),
  // At most 10,000 are counted; `more` tells that there are more.
  response: z.object({ entries: z.array(AuditEntry), totalCount: z.number(), more: z.boolean() }),
})
