/** What comes back for voided labels: to customers, and from carriers. */
import * as z from 'zod'
import { REASON_MAX } from './accounts.ts'
import {
  defineEndpoint,
  DollarsOutput,
  Id,
  MessageResponse,
  Moment,
  UserParams,
} from './endpoint.ts'

/**
 * `pending`: the carrier has not confirmed the void, or it has and the refund waits. `refunded`: the price is back in the balance.
 * `refused`: the label stays valid, `reason` tells why.
 */
export const REFUND_STATES = ['pending', 'refunded', 'refused'] as const
export type RefundState = (typeof REFUND_STATES)[number]

export const Refund = z.object({
  orderId: Id,
  trackingNumber: z.string(),
  service: z.string(),
  receiver: z.string().nullable(),
  amount: DollarsOutput,
  state: z.enum(REFUND_STATES),
  requestedAt: Moment,
  expectedAt: Moment.nullable(),
  refundedAt: Moment.nullable(),
  automatic: z.boolean(),
  inDoubt: z.boolean(),
  confirmed: z.boolean(),
  stopped: z.boolean(),
  reason: z.string().nullable(),
})
export type Refund = z.output<typeof Refund>

const Sum = z.object({ count: z.number(), amount: DollarsOutput })

export const listRefunds = defineEndpoint({
  name: 'listRefunds',
  method: 'GET',
  path: '/api/wallet/:userId/refunds',
  access: 'self',
  isPersonal: true,
  scope: 'wallet:read',
  summary:
    'List labels whose void was requested, the newest request first, with sums by state. automatic: unused labels that were voided '
    + 'before the carrier’s window ended',
  params: UserParams,
  query: z.object({
    state: z.enum(REFUND_STATES).optional(),
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number().int().min(1).max(1_000).default(100),
  }),
  response: z.object({
    refunds: z.array(Refund),
    totalCount: z.number(),
    pending: Sum,
    refunded: Sum,
    refused: Sum,
    automatic: Sum,
  }),
})

/** Days since the request from which an age counts. */
export const REFUND_AGES = [0, 7, 14, 30] as const

export const refundsDue = defineEndpoint({
  name: 'refundsDue',
  method: 'GET',
  path: '/api/admin/refunds-due',
  access: 'admin',
  summary:
    'What carriers owe for labels whose void is requested and not confirmed, by carrier account and age',
  response: z.object({
    accounts: z.array(
      z.object({
        account: z.string(),
        count: z.number(),
        carrierOwes: DollarsOutput,
        unknownCosts: z.number(),
        customersGet: DollarsOutput,
        oldest: Moment,
        ages: z.array(
          z.object({ fromDays: z.number(), count: z.number(), carrierOwes: DollarsOutput }),
        ),
      }),
    ),
  }),
})
export type RefundDue = z.output<typeof refundsDue.response>['accounts'][number]

export const chargeVoidedScan = defineEndpoint({
  name: 'chargeVoidedScan',
  method: 'POST',
  path: '/api/admin/voided-scans/:orderId/charge',
  access: 'admin',
  proof: true,
  refusals: [404, 409],
  summary:
    'Charge the refund of a voided label back to its customer, because the carrier scanned it. What the balance does not cover waits '
    + 'until money comes in. A repeat charges nothing',
  params: z.object({ orderId: Id }),
  response: MessageResponse.extend({ charged: DollarsOutput, waiting: DollarsOutput }),
})

export const returnVoidedScanCharge = defineEndpoint({
  name: 'returnVoidedScanCharge',
  method: 'POST',
  path: '/api/admin/voided-scans/:orderId/return',
  access: 'admin',
  proof: true,
  refusals: [404, 409],
  summary:
    'Give the charge of a scanned label back to its customer, whole and once, with a reason for the audit. A repeat gives nothing',
  params: z.object({ orderId: Id }),
  body: z.object({ reason: z.string().trim().min(1).max(REASON_MAX) }),
  response: MessageResponse.extend({ given: DollarsOutput }),
})
