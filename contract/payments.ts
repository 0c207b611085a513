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

/** Life of an invoice in BTCPay's words, which the wire passes on as they are. */
export const INVOICE_STATUSES = ['New', 'Processing', 'Settled', 'Expired', 'Invalid'] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

/**
 * `createdTime`: seconds since epoch (specification, 3); `amount`: dollars paid, confirmed or not; `note`: in words what is not
 * plain from the status, null when all is.
 */
export const Deposit = z.object({
  _id: Id,
  invoiceId: z.string(),
  amount: DollarsOutput,
  createdTime: z.number(),
  status: z.string(),
  note: z.string().nullable(),
})
export type Deposit = z.output<typeof Deposit>

/** `id`: the provider's, as its payment dialog wants it; `amount` and `note` as in a deposit; times in seconds since epoch. */
export const Invoice = z.object({
  id: z.string(),
  status: z.enum(INVOICE_STATUSES),
  amount: DollarsOutput,
  note: z.string().nullable(),
  createdTime: z.number(),
  expirationTime: z.number(),
  checkoutLink: z.string(),
})
export type Invoice = z.output<typeof Invoice>

export const topUp = defineEndpoint({
  method: 'GET',
  path: '/api/payment/top-up/:userId',
  access: 'self',
  adminMayWrite: true,
  changesState: true,
  summary: 'An invoice to pay into the balance; an open unpaid one is returned again. guest: 401',
  params: UserParams,
  response: Invoice,
})

export const listDeposits = defineEndpoint({
  method: 'GET',
  path: '/api/payment/deposits/:userId',
  access: 'self',
  summary: 'Deposits, newest first',
  params: UserParams,
  query: z.object({
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number().int().min(1).max(10_000).default(7),
    filter: z.enum(['all', ...INVOICE_STATUSES]).default('all'),
  }),
  response: z.object({ deposits: z.array(Deposit), totalCount: z.number() }),
})

export const recentDeposits = defineEndpoint({
  method: 'GET',
  path: '/api/payment/recent-deposits/:userId',
  access: 'self',
  summary: 'The newest deposits for the dashboard',
  params: UserParams,
  query: z.object({ limit: z.coerce.number().int().min(1).max(100).default(25) }),
  response: z.array(Deposit),
})

/** An invoice's id is the provider's. */
const InvoiceParams = z.object({ id: z.string().max(100) })

export const checkInvoice = defineEndpoint({
  method: 'POST',
  path: '/api/payment/invoices/:id/check',
  access: 'signed-in',
  summary:
    'Looks the invoice up at the payment service now and credits what is confirmed; asked when the payment dialog closes',
  params: InvoiceParams,
  response: Invoice,
})

/** A message of the payment service's, in BTCPay's words. Its body is signed as it is, so it is described nowhere and read by us alone. */
export const paymentWebhook = defineEndpoint({
  method: 'POST',
  path: '/api/payment/webhooks/:provider',
  access: 'anyone',
  rawBody: true,
  bodyLimit: 64 * 1024,
  summary:
    'For the payment service: a message signed in the header BTCPay-Sig; what it is about is looked up after',
  otherStatuses: { 401: 'Not signed, or not with our secret' },
  params: z.object({ provider: z.string().max(20) }),
  response: z.object({ ok: z.literal(true) }),
})

/**
 * A deposit that waits for an operator. `creditable`: confirmed dollars that were not credited; `owed`: credited dollars whose payment
 * did not stay, of which the balance has `takeable`.
 */
export const DepositInReview = Deposit.extend({
  userId: Id,
  userName: z.string(),
  userEmail: z.string(),
  creditable: DollarsOutput,
  owed: DollarsOutput,
  takeable: DollarsOutput,
})

export const listDepositsInReview = defineEndpoint({
  method: 'GET',
  path: '/api/admin/deposits/review',
  access: 'admin',
  summary: 'Payments that came late, in part or were taken back, oldest first',
  query: PageQuery,
  response: z.object({ deposits: z.array(DepositInReview), totalCount: z.number() }),
})

export const creditDeposit = defineEndpoint({
  method: 'POST',
  path: '/api/admin/deposits/:id/credit',
  access: 'admin',
  summary: 'Credits the confirmed money of a deposit in review',
  params: InvoiceParams,
  response: MessageResponse.extend({ deposit: Deposit }),
})

export const reverseDeposit = defineEndpoint({
  method: 'POST',
  path: '/api/admin/deposits/:id/reverse',
  access: 'admin',
  summary:
    'Takes a credit back whose payment did not stay, as far as the balance has it; the rest stays owed',
  params: InvoiceParams,
  response: MessageResponse.extend({ deposit: Deposit }),
})

export const dismissDeposit = defineEndpoint({
  method: 'POST',
  path: '/api/admin/deposits/:id/dismiss',
  access: 'admin',
  summary: 'Lays a deposit in review aside as it is, for a reason that is written down',
  params: InvoiceParams,
  body: z.object({
    reason: z
      .string()
      .trim()
      .min(1, 'must say why')
      .max(REASON_MAX, `must have at most ${REASON_MAX} characters`),
  }),
  response: MessageResponse.extend({ deposit: Deposit }),
})

/** The most that is played in one payment, in dollars. */
export const SANDBOX_MAX_DOLLARS = 100_000

const SandboxAmountBody = z.object({
  amount: DollarsInput.refine(n => n > 0, 'must be more than 0').refine(
    n => n <= SANDBOX_MAX_DOLLARS,
    'must be at most 100,000',
  ),
})

export const sandboxPay = defineEndpoint({
  method: 'POST',
  path: '/api/sandbox/invoices/:id/pay',
  access: 'signed-in',
  summary: 'Sandbox only: pay an invoice in play coins',
  params: InvoiceParams,
  body: SandboxAmountBody,
  response: MessageResponse.extend({ invoice: Invoice }),
})

export const sandboxExpire = defineEndpoint({
  method: 'POST',
  path: '/api/sandbox/invoices/:id/expire',
  access: 'signed-in',
  summary: 'Sandbox only: let an invoice expire',
  params: InvoiceParams,
  response: MessageResponse.extend({ invoice: Invoice }),
})

export const sandboxPayLate = defineEndpoint({
  method: 'POST',
  path: '/api/sandbox/invoices/:id/pay-late',
  access: 'signed-in',
  summary: 'Sandbox only: pay an expired invoice',
  params: InvoiceParams,
  body: SandboxAmountBody,
  response: MessageResponse.extend({ invoice: Invoice }),
})
