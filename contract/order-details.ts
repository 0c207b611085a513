/** One label as its owner sees it, with its timeline. */
import * as z from 'zod'
import { defineEndpoint, DollarsOutput, Id, Moment } from './endpoint.ts'
import { Order } from './orders.ts'
import { TRACKING_STATUSES } from './tracking.ts'

/** `bought`: charged from the hold. `released`: not bought, the hold is back in the balance. */
export const LABEL_STEP_KINDS = [
  'ordered',
  'held',
  'retried',
  'checking',
  'bought',
  'released',
  'tracked',
  'void-requested',
  'void-accepted',
  'void-confirmed',
  'void-refused',
  'refunded',
  'charged',
  'charge-waiting',
  'credited',
  'replaced',
] as const
export type LabelStepKind = (typeof LABEL_STEP_KINDS)[number]

/**
 * `amount`: dollars. `by`: who requested a void; absent for other steps. `tracking`, `text` and
 * `place`: of a tracked parcel; text and place as the carrier tells them, if it does.
 */
export const LabelStep = z.object({
  at: Moment,
  kind: z.enum(LABEL_STEP_KINDS),
  amount: DollarsOutput.optional(),
  by: z.enum(['owner', 'support', 'system']).optional(),
  tracking: z.enum(TRACKING_STATUSES).optional(),
  text: z.string().optional(),
  place: z.string().optional(),
})
export type LabelStep = z.output<typeof LabelStep>

export const labelDetails = defineEndpoint({
  name: 'labelDetails',
  method: 'GET',
  path: '/api/orders/details/:orderId',
  access: 'signed-in',
  scope: 'labels:read',
  isPersonal: true,
  refusals: [404],
  summary: 'Get a label with its timeline, oldest step first',
  params: z.object({ orderId: Id }),
  response: z.object({
    order: Order,
    serviceUid: z.string(),
    // Name of the API key that the label was ordered with.
    apiKey: z.string().nullable(),
    orderRef: z.string().nullable(),
    // The bulk order in which the row was ordered again, edited.
    replacedBy: Id.nullable(),
    purchasedAt: Moment.nullable(),
    voidedAt: Moment.nullable(),
    // Until when a bought label can be voided; null without a limit.
    voidableUntil: Moment.nullable(),
    timeline: z.array(LabelStep),
  }),
})
export type LabelDetails = z.output<typeof labelDetails.response>
