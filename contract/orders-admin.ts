import * as z from 'zod'
import { UserSummary } from './accounts.ts'
import {
  defineEndpoint,
  MessageResponse,
  DollarsOutput,
  Id,
  Moment,
  MomentInput,
  PageQuery,
} from './endpoint.ts'
import { Order, ORDER_STATES, ORDER_STATUSES } from './orders.ts'
import { TABLE_FILE_TYPES, TableFormatQuery } from './table-files.ts'
import { PARCEL_STAGES } from './tracking.ts'

/** `cost`: charged by the carrier, in dollars. */
export const AdminOrder = Order.extend({
  state: z.enum(ORDER_STATES),
  user: UserSummary,
  cost: DollarsOutput.nullable(),
  purchasedAt: Moment.nullable(),
  voidedAt: Moment.nullable(),
})
export type AdminOrder = z.output<typeof AdminOrder>

/**
 * `from` and `to`: order date, inclusive; `parcel`: bought labels by the stage of their parcels.
 */
const AdminOrderFilterQuery = z.object({
  search: z.string().max(200).optional(),
  status: z.enum(ORDER_STATUSES).optional(),
  state: z.enum(ORDER_STATES).optional(),
  parcel: z.enum(PARCEL_STAGES).optional(),
  userId: Id.optional(),
  batchId: Id.optional(),
  from: MomentInput.optional(),
  to: MomentInput.optional(),
})
export type AdminOrderFilter = z.output<typeof AdminOrderFilterQuery>

/** A filtered list of at most so many labels is summed. */
export const MAX_SUMMED_LABELS = 2_000

/**
 * Of the bought labels among those found, in dollars, before later corrections. `cost`: charged by
 * the carrier at purchase. `margin`: price less cost of the labels with a known cost;
 * `unknownCosts` have none.
 */
export const OrderSums = z.object({
  bought: z.number(),
  price: DollarsOutput,
  cost: DollarsOutput,
  margin: DollarsOutput,
  unknownCosts: z.number(),
})
export type OrderSums = z.output<typeof OrderSums>

export const listAllOrders = defineEndpoint({
  name: 'listAllOrders',
  method: 'GET',
  path: '/api/admin/orders',
  access: 'admin',
  summary:
    'List orders of all users, newest first. search matches tracking number, order id and order reference; with userId also names. '
    + 'With a filter at most 10,000 are counted, fewer by parcel or with a frequent word; more tells that counting stopped; '
    + 'sums adds up the bought ones among at most 2,000',
  query: PageQuery.extend(AdminOrderFilterQuery.shape),
  // `sums`: null without a filter, and of more than MAX_SUMMED_LABELS.
  response: z.object({
    orders: z.array(AdminOrder),
    totalCount: z.number(),
    more: z.boolean(),
    sums: OrderSums.nullable(),
  }),
})

export const exportOrdersCsv = defineEndpoint({
  name: 'exportOrdersCsv',
  method: 'GET',
  path: '/api/admin/orders.csv',
  access: 'admin',
  acceptsDownloadCookie: true,
  summary: 'Export orders of all users as CSV or xlsx, newest first',
  query: AdminOrderFilterQuery.extend(TableFormatQuery.shape),
  fileTypes: TABLE_FILE_TYPES,
  response: z.any(),
})

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
  'void-confirmed',
  'refunded',
  'corrected',
  'charged',
  'charge-waiting',
  'credited',
  'replaced',
  'tracked',
  'by-hand',
] as const

/**
 * One step in a sentence. `amount`: dollars, signed from the customer's side; `by`: absent for the
 * system; `detail`: the carrier's text with addresses, phones and emails redacted, or the reason of
 * a manual resolution.
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
  // Dollars that the customer paid since the purchase less what the carrier charged since.
  corrected: DollarsOutput,
  // By the books, as in the reports: with corrections. Null where nothing was bought, or the cost is not known.
  margin: DollarsOutput.nullable(),
  // What can be resolved manually, and from when on.
  hand: z.object({ what: z.enum(['label', 'void']), from: Moment }).nullable(),
  // Dollars of the charge of its scan after the void that can be given back; null for none.
  scanCharge: DollarsOutput.nullable(),
  // The carrier account of the label, where it is not the current one.
  otherAccount: z.string().nullable(),
})
export type OrderDetails = z.output<typeof OrderDetailsResponse>

export const orderDetails = defineEndpoint({
  name: 'orderDetails',
  method: 'GET',
  path: '/api/admin/orders/:orderId',
  access: 'admin',
  refusals: [404],
  summary: 'Get an order with its timeline, oldest step first',
  params: OrderParams,
  response: OrderDetailsResponse,
})

export const recheckOrder = defineEndpoint({
  name: 'recheckOrder',
  method: 'POST',
  path: '/api/admin/orders/:orderId/check',
  access: 'admin',
  refusals: [404, 409],
  summary:
    'Look up a label of unknown outcome, or an unanswered void, at the carrier now. 409 for any other order',
  params: OrderParams,
  response: MessageResponse.extend(OrderDetailsResponse.shape),
})
