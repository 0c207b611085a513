/** Labels of all users, for administrators. */
import * as z from 'zod'
import { UserSummary } from './accounts.ts'
import {
  defineEndpoint,
  MessageResponse,
  DollarsOutput,
  Id,
  Moment,
  PageQuery,
} from './endpoint.ts'
import { Order, ORDER_STATES, ORDER_STATUSES } from './orders.ts'
import { PARCEL_STAGES } from './tracking.ts'

/** A label as administrators see it. `cost`: what the carrier took, in dollars. */
export const AdminOrder = Order.extend({
  state: z.enum(ORDER_STATES),
  user: UserSummary,
  cost: DollarsOutput.nullable(),
  purchasedAt: Moment.nullable(),
  voidedAt: Moment.nullable(),
})
export type AdminOrder = z.output<typeof AdminOrder>

/** From and to, both inside, by when the label was ordered; parcel: bought labels by where their parcels are. */
const AdminOrderFilterQuery = z.object({
  search: z.string().max(200).optional(),
  status: z.enum(ORDER_STATUSES).optional(),
  state: z.enum(ORDER_STATES).optional(),
  parcel: z.enum(PARCEL_STAGES).optional(),
  userId: Id.optional(),
  batchId: Id.optional(),
  from: Moment.optional(),
  to: Moment.optional(),
})
export type AdminOrderFilter = z.output<typeof AdminOrderFilterQuery>

export const listAllOrders = defineEndpoint({
  method: 'GET',
  path: '/api/admin/orders',
  access: 'admin',
  summary:
    'Labels of all users, newest first. search: tracking number, order id, reference of the order; with userId also names. '
    + 'With any filter at most 10,000 are counted; more says that there are more',
  query: PageQuery.extend(AdminOrderFilterQuery.shape),
  response: z.object({ orders: z.array(AdminOrder), totalCount: z.number(), more: z.boolean() }),
})

export const exportOrdersCsv = defineEndpoint({
  method: 'GET',
  path: '/api/admin/orders.csv',
  access: 'admin',
  acceptsDownloadCookie: true,
  summary: 'The same labels as a CSV file, newest first',
  query: AdminOrderFilterQuery,
  fileTypes: ['text/csv'],
  response: z.any(),
})

/** Steps of a label's life. */
export const TIMELINE_STEP_KINDS = [
  'ordered',
  'held',
  'sent',
  'answered',
  'captured',
  'released',
  'retried',
  'unknown',
  'files',
  'void-requested',
  'void-sent',
  'void-answered',
  'refunded',
  'replaced',
  'tracked',
  'by-hand',
] as const

/**
 * One step: what happened, in a sentence. `amount` dollars as the customer sees them; `by`: who did it where somebody did;
 * `detail`: what the carrier said, without anybody's address, phone or e-mail; of a step by hand why it was taken.
 */
export const TimelineStep = z.object({
  at: Moment,
  kind: z.enum(TIMELINE_STEP_KINDS),
  text: z.string(),
  amount: DollarsOutput.optional(),
  by: UserSummary.optional(),
  detail: z.string().optional(),
})
export type TimelineStep = z.output<typeof TimelineStep>

const OrderParams = z.object({ orderId: Id })
const OrderDetailsResponse = z.object({
  order: AdminOrder,
  timeline: z.array(TimelineStep),
  // What may be ended by hand, and from when on, while the carrier does not say what became of it.
  hand: z.object({ what: z.enum(['label', 'void']), from: Moment }).nullable(),
  // The carrier account that has the label, where it is not the one that is open.
  otherAccount: z.string().nullable(),
})
export type OrderDetails = z.output<typeof OrderDetailsResponse>

export const orderDetails = defineEndpoint({
  method: 'GET',
  path: '/api/admin/orders/:orderId',
  access: 'admin',
  summary: 'A label and all that happened to it, oldest first',
  params: OrderParams,
  response: OrderDetailsResponse,
})

export const recheckOrder = defineEndpoint({
  method: 'POST',
  path: '/api/admin/orders/:orderId/check',
  access: 'admin',
  summary:
    'Ask the carrier now what became of a label of unknown outcome, or of a void without an answer; 409 for any other',
  params: OrderParams,
  response: MessageResponse.extend(OrderDetailsResponse.shape),
})
