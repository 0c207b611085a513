import * as z from 'zod'
import { REASON_MAX } from './accounts.ts'
import {
  defineEndpoint,
  MessageResponse,
  DollarsInput,
  DollarsOutput,
  Id,
  PageQuery,
  UserParams,
} from './endpoint.ts'

export const INVOICE_STATUSES = ['New', 'Processing', 'Settled', 'Expired', 'Invalid'] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

/**
 * `createdTime`: Unix seconds; `amount`: dollars paid, confirmed or not; `credited`: dollars that
 * reached the balance, less what was reversed; `requested`: dollars that the user wanted to add,
 * null when no amount was named; `note`: what the status alone does not tell.
 */
export const Deposit = z.object({
  _id: Id,
  invoiceId: z.string(),
  amount: DollarsOutput,
  credited: DollarsOutput,
  requested: DollarsOutput.nullable(),
  createdTime: z.number(),
  status: z.string(),
  note: z.string().nullable(),
})
export type Deposit = z.output<typeof Deposit>

/**
 * `id`: the provider's, for its payment dialog; `number`: ours, by which users know it, as in the
 * statement and as `_id` of the deposit; `amount`, `credited`, `requested` and `note` as in a deposit; times in
 * Unix seconds.
 */
export const Invoice = z.object({
  id: z.string(),
  number: Id,
  status: z.enum(INVOICE_STATUSES),
  amount: DollarsOutput,
  credited: DollarsOutput,
  requested: DollarsOutput.nullable(),
  note: z.string().nullable(),
  createdTime: z.number(),
  expirationTime: z.number(),
  checkoutLink: z.string(),
})
export type Invoice = z.output<typeof Invoice>

/** What an invoice can ask for, in dollars. */
export const TOP_UP_MIN_DOLLARS = 1
export const TOP_UP_MAX_DOLLARS = 100_000

export const topUp = defineEndpoint({
  name: 'topUp',
  method: 'GET',
  path: '/api/payment/top-up/:userId',
  access: 'self',
  adminMayWrite: true,
  changesState: true,
  refusals: [404],
  summary:
    'Get an invoice to top up the balance. An open unpaid invoice is reused, with amount only one of that amount. '
    + 'What is paid is credited, less or more. 401 for guest',
  params: UserParams,
  query: z.object({
    amount: z.coerce
      .number('must be an amount in dollars')
      .pipe(
        DollarsInput.refine(
          dollars => dollars >= TOP_UP_MIN_DOLLARS && dollars <= TOP_UP_MAX_DOLLARS,
          'must be from 1 to 100000 dollars',
        ),
      )
      .optional(),
  }),
  response: Invoice,
})

export const listDeposits = defineEndpoint({
  name: 'listDeposits',
  method: 'GET',
  path: '/api/payment/deposits/:userId',
  access: 'self',
  isPersonal: true,
  scope: 'wallet:read',
  summary: 'List deposits, newest first',
  params: UserParams,
  query: z.object({
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number().int().min(1).max(10_000).default(7),
    filter: z.enum(['all', ...INVOICE_STATUSES]).default('all'),
  }),
  response: z.object({ deposits: z.array(Deposit), totalCount: z.number() }),
})

export const recentDeposits = defineEndpoint({
  name: 'recentDeposits',
  method: 'GET',
  path: '/api/payment/recent-deposits/:userId',
  access: 'self',
  isPersonal: true,
  scope: 'wallet:read',
  summary: 'List recent deposits for the dashboard',
  params: UserParams,
  query: z.object({ limit: z.coerce.number().int().min(1).max(100).default(25) }),
  response: z.array(Deposit),
})

const InvoiceParams = z.object({ id: z.string().max(100) })

export const checkInvoice = defineEndpoint({
  name: 'checkInvoice',
  method: 'POST',
  path: '/api/payment/invoices/:id/check',
  access: 'signed-in',
  refusals: [404],
  summary:
    'Look up an invoice at the payment provider now and credit confirmed payments. Called when the payment dialog closes',
  params: InvoiceParams,
  response: Invoice,
})

/** BTCPay's webhook. The signature covers the raw bytes, so the body has no schema here. */
export const paymentWebhook = defineEndpoint({
  name: 'paymentWebhook',
  method: 'POST',
  path: '/api/payment/webhooks/:provider',
  access: 'anyone',
  rawBody: true,
  bodyLimit: 64 * 1024,
  refusals: [404],
  summary:
    'Receive a webhook of the payment provider, signed in the header BTCPay-Sig. The invoice is looked up afterwards',
  otherStatuses: { 401: 'Signature missing or invalid' },
  params: z.object({ provider: z.string().max(20) }),
  response: z.object({ ok: z.literal(true) }),
})

/**
 * A deposit in review. `creditable`: confirmed dollars that were not credited; `owed`: credited
 * dollars whose payment was invalidated, of which the balance covers `takeable`. `seen`: names this state of the deposit.
 */
export const DepositInReview = Deposit.extend({
  userId: Id,
  userName: z.string(),
  userEmail: z.string(),
  creditable: DollarsOutput,
  owed: DollarsOutput,
  takeable: DollarsOutput,
  seen: z.string(),
})

export const listDepositsInReview = defineEndpoint({
  name: 'listDepositsInReview',
  method: 'GET',
  path: '/api/admin/deposits/review',
  access: 'admin',
  summary: 'List deposits in review (paid late, in part, or invalidated), oldest first',
  query: PageQuery,
  response: z.object({ deposits: z.array(DepositInReview), totalCount: z.number() }),
})

const depositDecision = {
  method: 'POST',
  access: 'admin',
  proof: true,
  refusals: [404, 409],
  params: InvoiceParams,
  response: MessageResponse.extend({ deposit: Deposit }),
} as const

export const creditDeposit = defineEndpoint({
  name: 'creditDeposit',
  ...depositDecision,
  path: '/api/admin/deposits/:id/credit',
  summary: 'Credit the confirmed amount of a deposit in review',
})

export const reverseDeposit = defineEndpoint({
  name: 'reverseDeposit',
  ...depositDecision,
  path: '/api/admin/deposits/:id/reverse',
  summary:
    'Reverse the credit of an invalidated payment, as far as the balance covers it; the rest stays owed',
})

export const dismissDeposit = defineEndpoint({
  name: 'dismissDeposit',
  ...depositDecision,
  path: '/api/admin/deposits/:id/dismiss',
  summary:
    'Dismiss a deposit in review, with a reason. With seen, 409 if its state has changed since',
  body: z.object({
    reason: z
      .string()
      .trim()
      .min(1, 'is required')
      .max(REASON_MAX, `must have at most ${REASON_MAX} characters`),
    seen: z.string().max(200).optional(),
  }),
})

/** Largest sandbox payment in dollars. */
export const SANDBOX_MAX_DOLLARS = 100_000

const SandboxAmountBody = z.object({
  amount: DollarsInput.refine(n => n > 0, 'must be more than 0').refine(
    n => n <= SANDBOX_MAX_DOLLARS,
    'must be at most 100,000',
  ),
})

const sandboxCommand = {
  method: 'POST',
  access: 'signed-in',
  refusals: [404, 409],
  params: InvoiceParams,
  response: MessageResponse.extend({ invoice: Invoice }),
} as const

export const sandboxPay = defineEndpoint({
  name: 'sandboxPay',
  ...sandboxCommand,
  path: '/api/sandbox/invoices/:id/pay',
  summary: 'Sandbox only: pay an invoice',
  body: SandboxAmountBody,
})

export const sandboxExpire = defineEndpoint({
  name: 'sandboxExpire',
  ...sandboxCommand,
  path: '/api/sandbox/invoices/:id/expire',
  summary: 'Sandbox only: expire an invoice',
})

export const sandboxPayLate = defineEndpoint({
  name: 'sandboxPayLate',
  ...sandboxCommand,
  path: '/api/sandbox/invoices/:id/pay-late',
  summary: 'Sandbox only: pay an expired invoice',
  body: SandboxAmountBody,
})
