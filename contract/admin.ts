import * as z from 'zod'
import { UserSummary } from './accounts.ts'
import { defineEndpoint, DollarsOutput, Id, Moment, PageQuery } from './endpoint.ts'
import { TRACKING_STATUSES } from './tracking.ts'
import { TrendQuery } from './trend.ts'

/** Lengths of the dashboard's periods in days, today included. */
export const DASHBOARD_PERIOD_DAYS = [1, 7, 30] as const

/**
 * Figures since `from`, by the books, in dollars. `labels`: captures; `failed`: releases; `voided`:
 * refunds. `revenue`: captures less refunds; `carrierCost`: charged by the carrier less its
 * refunds; `margin`: revenue less carrierCost; `failureRate`: failed of all settled, 0 to 1, null
 * where nothing was settled; `depositsSettled`: the sum of `depositCount` deposits, less
 * `takenBack`, the reversals of payments that were invalidated.
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

/** Open tasks of one kind, and since when the oldest is open. */
const WorkCount = z.object({ count: z.number(), oldest: Moment.nullable() })

export const getAdminDashboard = defineEndpoint({
  name: 'getAdminDashboard',
  method: 'GET',
  path: '/api/admin/dashboard',
  access: 'admin',
  summary: 'Get figures for 1, 7 and 30 days, liabilities and open tasks',
  query: TrendQuery,
  response: z.object({
    periods: z.array(DashboardPeriod),
    liabilities: z.object({ available: DollarsOutput, held: DollarsOutput }),
    // Paid but not yet confirmed.
    depositsPending: z.object({ count: z.number(), amount: DollarsOutput }),
    // Labels of unknown outcome, failed files, deposits in review, unanswered voids, emails that
    // wait for over 5 minutes or failed. scans: voided labels that were scanned in the last 30 days.
    // disputes: open disputes of carrier adjustments.
    // losses: labels of the last 7 days above the loss ceiling: refused, or sold for `lost` dollars
    // more than their prices; newest: the order of the newest one. elsewhere: those that only another carrier account can answer.
    work: z.object({
      unknown: WorkCount,
      files: WorkCount,
      deposits: WorkCount,
      voids: WorkCount,
      mails: WorkCount,
      scans: WorkCount,
      disputes: WorkCount,
      losses: WorkCount.extend({ refused: z.number(), lost: DollarsOutput, newest: Id.nullable() }),
      elsewhere: WorkCount.extend({ accounts: z.array(z.string()) }),
    }),
    // Set while all purchases are stopped, by a problem with the carrier account, where `reason` is
    // the carrier's text, or by losses.
    carrierProblem: z
      .object({
        cause: z.enum(['carrier', 'losses']),
        // Of the configuration, as `retryCarrier` takes it.
        account: z.string(),
        reason: z.string(),
        since: Moment,
      })
      .nullable(),
    // What a live installation still lacks, as the doctor says it; empty in a sandbox.
    setup: z.array(z.object({ part: z.enum(['prices', 'support']), text: z.string() })),
    users: z.number(),
  }),
})

/**
 * A month by the books, in dollars. `opening`, `closing`: all balances with what is held; `deposits`: less those that were taken back;
 * `charged`: labels, and corrections that customers pay; `refunded`: voided labels, and corrections to customers; `adjusted`: by
 * administrators. opening + deposits - charged + refunded + adjusted = closing. `margin`: charged - refunded - carrierCost.
 */
export const BooksMonth = z.object({
  from: Moment,
  labels: z.number(),
  voided: z.number(),
  opening: DollarsOutput,
  deposits: DollarsOutput,
  charged: DollarsOutput,
  refunded: DollarsOutput,
  adjusted: DollarsOutput,
  closing: DollarsOutput,
  carrierCost: DollarsOutput,
  margin: DollarsOutput,
})
export type BooksMonth = z.output<typeof BooksMonth>

export const booksByMonth = defineEndpoint({
  name: 'booksByMonth',
  method: 'GET',
  path: '/api/admin/books',
  access: 'admin',
  summary:
    'List the last 13 calendar months by the books, newest first, from the first month with a movement. The newest is not over',
  query: TrendQuery,
  response: z.object({ months: z.array(BooksMonth) }),
})

/** A label that the carrier scanned after its void. `refundedAt`: null where its refund was stopped. */
export const VoidedScan = z.object({
  orderId: Id,
  user: UserSummary,
  trackingNumber: z.string(),
  status: z.enum(TRACKING_STATUSES),
  price: DollarsOutput,
  refundedAt: Moment.nullable(),
  scannedAt: Moment,
})
export type VoidedScan = z.output<typeof VoidedScan>

export const listVoidedScans = defineEndpoint({
  name: 'listVoidedScans',
  method: 'GET',
  path: '/api/admin/voided-scans',
  access: 'admin',
  summary:
    'List voided labels that the carrier scanned, found in the last 30 days and not charged back, newest first. A voided label is '
    + 'followed for 30 days',
  query: PageQuery,
  response: z.object({ labels: z.array(VoidedScan), totalCount: z.number() }),
})
