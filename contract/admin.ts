/** What the operator sees of the whole house: figures, work to be done, every label and its story. */
import * as z from 'zod'
import { defineEndpoint, DollarsOutput, Moment } from './endpoint.ts'
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
