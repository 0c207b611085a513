/**
 * Figures that are drawn as charts. All amounts are dollars by the books: their sums equal the
 * wallet statement and the administrator's dashboard to the cent, also while labels are bought.
 */
import * as z from 'zod'
import { UserSummary } from './accounts.ts'
import { defineEndpoint, DollarsOutput, Id, Moment, UserParams } from './endpoint.ts'
import { TrendQuery } from './trend.ts'

/** Lengths of a report in days, today included. */
export const REPORT_DAYS = [7, 30, 90] as const
export type ReportDays = (typeof REPORT_DAYS)[number]

/** Days that a pace of spending is measured over. */
export const PACE_DAYS = 14

/** A balance that lasts for less than this is low. */
export const LOW_BALANCE_DAYS = 3

/** The carrier's costs by weight are of so many orders, the newest. */
export const COST_SAMPLE = 10_000

/** At most so many rows of a list in a report; counts are of all. */
export const REPORT_ROWS = 10

/** In the reader's time zone, as a trend. */
export const ReportQuery = TrendQuery.extend({
  days: z.coerce.number().pipe(z.literal(REPORT_DAYS)).default(30),
})

/**
 * `labels`: bought, also those voided later; `charged`: their prices, and corrections of the carrier
 * that were charged; `voided`: labels whose refund was paid in this time, whenever they were bought;
 * `refunded`: the amount of these, and corrections that were credited. Spent is `charged` less
 * `refunded`.
 */
const Sales = z.object({
  labels: z.number(),
  charged: DollarsOutput,
  voided: z.number(),
  refunded: DollarsOutput,
})
export type Sales = z.output<typeof Sales>

/** `service`: the key of a service, as in the list of services. */
const ServiceSales = Sales.extend({ service: z.string() })

/** `day`: '2026-11-20' in the reader's time zone. `services`: those with a movement on that day. */
export const SalesDay = Sales.extend({ day: z.iso.date(), services: z.array(ServiceSales) })
export type SalesDay = z.output<typeof SalesDay>

/** `name`: as on the newest label. */
export const ServiceTotal = ServiceSales.extend({ name: z.string() })
export type ServiceTotal = z.output<typeof ServiceTotal>

export const SalesReport = z.object({
  /** The reader's midnight where the report begins. */
  from: Moment,
  /** Oldest first, each day of the time, also without sales. */
  days: z.array(SalesDay),
  /** Those with a movement in this time, the most labels first. */
  services: z.array(ServiceTotal),
  totals: Sales,
})
export type SalesReport = z.output<typeof SalesReport>

export const salesReport = defineEndpoint({
  name: 'salesReport',
  method: 'GET',
  path: '/api/reports/sales/:userId',
  access: 'self',
  scope: 'labels:read',
  summary: 'Labels bought and dollars charged and refunded per day and service',
  params: UserParams,
  query: ReportQuery,
  response: SalesReport,
})

export const DestinationReport = z.object({
  from: Moment,
  /**
   * Labels bought per state or territory of the receiver (codes of contract/states.ts), the most
   * first; states without a label are absent.
   */
  states: z.array(z.object({ state: z.string(), labels: z.number() })),
  /** Of all states; equals `totals.labels` of the sales report of the same time. */
  labels: z.number(),
})
export type DestinationReport = z.output<typeof DestinationReport>

export const destinationReport = defineEndpoint({
  name: 'destinationReport',
  method: 'GET',
  path: '/api/reports/destinations/:userId',
  access: 'self',
  scope: 'labels:read',
  summary: 'Labels bought per US state and territory of the receiver',
  params: UserParams,
  query: ReportQuery,
  response: DestinationReport,
})

/**
 * What was spent a day (charged less refunded) over the last `days` days, which are 14, or fewer
 * where the first label is younger.
 */
const Pace = z.object({ days: z.number(), perDay: DollarsOutput })

export const BalanceReport = z.object({
  from: Moment,
  /** Now. */
  balance: DollarsOutput,
  held: DollarsOutput,
  /**
   * Oldest first: `from`, the end of each further day and of each quarter of an hour with a
   * deposit, and now. The balance is what can be spent; held is reserved for labels under way.
   */
  points: z.array(z.object({ at: Moment, balance: DollarsOutput, held: DollarsOutput })),
  /**
   * Credited deposits, oldest first, those of one quarter of an hour together. `at` is also in
   * `points`, so that a dot lies on the curve.
   */
  deposits: z.array(z.object({ at: Moment, amount: DollarsOutput })),
  /** Null where nothing was spent in the last 14 days. */
  pace: Pace.nullable(),
  /** Whole days that the balance lasts at this pace; null without a pace. */
  daysLeft: z.number().nullable(),
})
export type BalanceReport = z.output<typeof BalanceReport>

export const balanceReport = defineEndpoint({
  name: 'balanceReport',
  method: 'GET',
  path: '/api/reports/balance/:userId',
  access: 'self',
  scope: 'wallet:read',
  summary: 'The balance over time with its deposits, and how many days it lasts at the recent pace',
  params: UserParams,
  query: ReportQuery,
  response: BalanceReport,
})

export const TaskReport = z.object({
  /**
   * Bulk orders of the last 30 days with failed labels that can be edited or retried, newest
   * first; `orderId`: of the bulk order; `name`: of its file, where it came from one.
   */
  failedBatches: z.object({
    count: z.number(),
    labels: z.number(),
    batches: z.array(
      z.object({
        orderId: Id,
        name: z.string().nullable(),
        labels: z.number(),
        createdAt: Moment,
      }),
    ),
  }),
  /**
   * Invoices that are not settled and can still be paid or confirmed, newest first. `paid`: what
   * has arrived without being confirmed.
   */
  openInvoices: z.object({
    count: z.number(),
    invoices: z.array(
      z.object({
        invoiceId: z.string(),
        paid: DollarsOutput,
        createdAt: Moment,
        expiresAt: Moment,
      }),
    ),
  }),
  /** Set while the balance lasts for less than 3 days at the pace of the balance report. */
  lowBalance: z.object({ balance: DollarsOutput, daysLeft: z.number(), pace: Pace }).nullable(),
})
export type TaskReport = z.output<typeof TaskReport>

export const taskReport = defineEndpoint({
  name: 'taskReport',
  method: 'GET',
  path: '/api/reports/tasks/:userId',
  access: 'self',
  scope: 'wallet:read',
  summary: 'What the user has to do: failed labels, open invoices, a low balance',
  params: UserParams,
  response: TaskReport,
})

/**
 * `revenue`: charged less refunded; `carrierCost`: charged by the carrier less its refunds;
 * `margin`: revenue less carrierCost; `labels`, `voided` and `refunded` as in `Sales`.
 */
const Trade = z.object({
  labels: z.number(),
  voided: z.number(),
  refunded: DollarsOutput,
  revenue: DollarsOutput,
  carrierCost: DollarsOutput,
  margin: DollarsOutput,
})
export type Trade = z.output<typeof Trade>

export const TradeReport = z.object({
  from: Moment,
  /** Oldest first, each day of the time, also without labels. */
  days: z.array(Trade.extend({ day: z.iso.date() })),
  totals: Trade,
  /** The most revenue first. */
  services: z.array(Trade.extend({ service: z.string(), name: z.string() })),
  /** The ten with the most revenue. */
  customers: z.array(Trade.extend({ user: UserSummary })),
  /**
   * Labels that were not bought and whose hold was released, by the carrier's reason, the most
   * first, at most ten; `otherCount`: with other reasons.
   */
  failures: z.object({
    count: z.number(),
    reasons: z.array(z.object({ reason: z.string(), count: z.number() })),
    otherCount: z.number(),
  }),
  /** Balances adjusted by administrators; in no other figure of this report. */
  adjustments: z.object({ up: DollarsOutput, down: DollarsOutput }),
  /**
   * Labels that the carrier sold for more than their price, and by how much; their loss is in the
   * margin already.
   */
  losses: z.object({ labels: z.number(), lost: DollarsOutput }),
})
export type TradeReport = z.output<typeof TradeReport>

export const tradeReport = defineEndpoint({
  name: 'tradeReport',
  method: 'GET',
  path: '/api/admin/reports/trade',
  access: 'admin',
  summary:
    'Revenue, carrier cost and margin per day, by service and by customer, and failures by reason',
  query: ReportQuery,
  response: TradeReport,
})

/**
 * How long an account lasts. `balance`: null with a `reason` where it is not known; asked at most every five minutes, at
 * `askedAt`. `pace`: what the carrier charged the account a day over the last 14 days. `daysLeft`: null without a balance or
 * a pace.
 */
export const AccountRunway = z.object({
  balance: DollarsOutput.nullable(),
  reason: z.enum(['not-reported', 'unavailable']).nullable(),
  askedAt: Moment,
  pace: Pace.nullable(),
  daysLeft: z.number().nullable(),
})
export type AccountRunway = z.output<typeof AccountRunway>

/** `name`: in the configuration. */
export const RunwayReport = z.object({
  accounts: z.array(z.object({ name: z.string(), runway: AccountRunway })),
})
export type RunwayReport = z.output<typeof RunwayReport>

/** A call of its own: the carriers may take seconds, which the other figures do not wait for. */
export const runwayReport = defineEndpoint({
  name: 'runwayReport',
  method: 'GET',
  path: '/api/admin/reports/runway',
  access: 'admin',
  summary: 'How many days the balance of each carrier account lasts at its own recent pace',
  response: RunwayReport,
})

/**
 * `cost`: what the carrier charged on average for `labels` bought labels of that weight, rounded up
 * to whole pounds. Only pounds with a label are listed, lightest first.
 */
const PoundCost = z.object({ pounds: z.number(), labels: z.number(), cost: DollarsOutput })

export const CostReport = z.object({
  services: z.array(
    z.object({ service: z.string(), labels: z.number(), costs: z.array(PoundCost) }),
  ),
})
export type CostReport = z.output<typeof CostReport>

export const costReport = defineEndpoint({
  name: 'costReport',
  method: 'GET',
  path: '/api/admin/reports/costs',
  access: 'admin',
  summary: 'What the carrier charged by service and pound, on average of the newest labels',
  response: CostReport,
})
