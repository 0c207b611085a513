/** What the operator sees of the whole house: figures, work to be done, every label and its story. */
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
import { TrendQuery } from './trend.ts'

/** Days of the dashboard's periods, today included. */
export const DASHBOARD_PERIOD_DAYS = [1, 7, 30] as const

/**
 * What happened since `from`, by the books. `labels`: bought (captures); `failed`: given back (releases); `voided`: paid back
 * (refunds). `revenue`: captures less refunds; `carrierCost`: what the carrier took for the bought less what it gave back for the
 * voided; `margin`: revenue less carrier cost; `failureRate`: failed of all settled, 0 to 1, null where nothing was settled;
 * `depositsSettled`: what `depositCount` deposits brought in, less what was `takenBack` of any because its payment did not stay.
 */
export const DashboardPeriod = z.object({
  days: z.number(),
  from: Moment,
  labels: z.number(),
  failed: z.number(),
  voided: z.number(),
  revenue: DollarsOutput,
  carrierCost: DollarsOutput,
  margin: DollarsOutput,
  failureRate: z.number().nullable(),
  depositsSettled: DollarsOutput,
  depositCount: z.number(),
  takenBack: DollarsOutput,
  newUsers: z.number(),
})
export type DashboardPeriod = z.output<typeof DashboardPeriod>

/** How many things of a kind wait for somebody, and since when the oldest has. */
const WorkCount = z.object({ count: z.number(), oldest: Moment.nullable() })

export const getAdminDashboard = defineEndpoint({
  method: 'GET',
  path: '/api/admin/dashboard',
  access: 'admin',
  summary: 'Figures of today, 7 and 30 days, liabilities, work that waits',
  query: TrendQuery,
  response: z.object({
    periods: z.array(DashboardPeriod),
    // Of all users together: what they may spend, and what is held for labels under way.
    liabilities: z.object({ available: DollarsOutput, held: DollarsOutput }),
    // Paid but not yet confirmed.
    depositsPending: z.object({ count: z.number(), amount: DollarsOutput }),
    // The parts of the work list: unknown labels, files that could not be made, deposits in review, voids the carrier has not answered.
    // elsewhere: unknown labels and voids that only another carrier account can tell of; they are counted among the others too.
    work: z.object({
      unknown: WorkCount,
      files: WorkCount,
      deposits: WorkCount,
      voids: WorkCount,
      elsewhere: WorkCount.extend({ accounts: z.array(z.string()) }),
    }),
    // The problem of the account at the carrier, in the carrier's words, while nothing can be bought for it.
    carrierProblem: z.object({ reason: z.string(), since: Moment }).nullable(),
    users: z.number(),
  }),
})

export const retryCarrier = defineEndpoint({
  method: 'POST',
  path: '/api/admin/carrier/try',
  access: 'admin',
  summary: 'Buy again now, after a problem of the carrier account; 409 when there is none',
  response: MessageResponse,
})

/** A bulk order whose files could not be made. */
export const BatchFileFailure = z.object({
  batchId: Id,
  user: UserSummary,
  totalCount: z.number(),
  problem: z.string(),
  since: Moment,
})
export type BatchFileFailure = z.output<typeof BatchFileFailure>

export const listBatchFileFailures = defineEndpoint({
  method: 'GET',
  path: '/api/admin/batches/files',
  access: 'admin',
  summary: 'Bulk orders whose files could not be made, oldest first',
  query: PageQuery,
  response: z.object({ batches: z.array(BatchFileFailure), totalCount: z.number() }),
})

export const rebuildBatchFiles = defineEndpoint({
  method: 'POST',
  path: '/api/admin/batches/:batchId/files',
  access: 'admin',
  summary: 'Make the files of a bulk order now',
  params: z.object({ batchId: Id }),
  response: MessageResponse,
})

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
