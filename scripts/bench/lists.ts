/** Response times of every list over HTTP, on a seeded database. Median and 95th percentile. */
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { listUsers, USER_SORTS } from '#contract/accounts.ts'
import { listAddresses } from '#contract/addresses.ts'
import { getAdminDashboard } from '#contract/admin.ts'
import { listAuditEntries } from '#contract/audit.ts'
import { listBatchFileFailures } from '#contract/batches.ts'
import { listBatches } from '#contract/batches.ts'
import type { Endpoint, RequestInput } from '#contract/endpoint.ts'
import { statement, walletTrend } from '#contract/ledger.ts'
import { listAllOrders, orderDetails } from '#contract/orders-admin.ts'
import { listOrders, orderTrend, recentOrders, totalOrders } from '#contract/orders.ts'
import { listDepositsInReview, listDeposits, recentDeposits } from '#contract/payments.ts'
import { invitedUsers, listReferrers } from '#contract/referrals.ts'
import {
  balanceReport,
  destinationReport,
  REPORT_DAYS,
  costReport,
  runwayReport,
  salesReport,
  taskReport,
  tradeReport,
} from '#contract/reports.ts'
import { listScanForms, scanFormCandidates } from '#contract/scan-forms.ts'
import { listSkus } from '#contract/skus.ts'
import { PARCEL_STAGES } from '#contract/tracking.ts'
import { startServer } from '#tests/support/server-process.ts'
import type { ServerProcess } from '#tests/support/server-process.ts'
import { median, percentile } from './figures.ts'

export type ListBench = { name: string; p50: number; p95: number }

export type ListRequest = { name: string; send: () => Promise<{ status: number; body: unknown }> }

const PAGE_ROWS = 50
const WARM_UP_CALLS = 3

/** Starts a server on a seeded database and measures one list after the other. */
export async function* benchLists(
  dataDir: string,
  databaseUrl: string,
  times = 40,
): AsyncGenerator<ListBench> {
  const ctx = await startServer(dataDir, { DATABASE_URL: databaseUrl, LOG_LEVEL: 'error' })
  try {
    await waitForSums(databaseUrl)
    for (const { name, send } of await buildListRequests(ctx)) {
      const took: number[] = []
      while (took.length < WARM_UP_CALLS + times) {
        const began = performance.now()
        const { status } = await send()
        if (status === 200) took.push(performance.now() - began)
        // All requests come from one address and reach its rate limit.
        else if (status === 429) await wait(1_000)
        else throw new Error(`${name}: ${status}`)
      }
      yield summarize(name, took.slice(WARM_UP_CALLS))
    }
  } finally {
    await ctx.stop('SIGTERM')
  }
}

/** The sums of reports are made by the server, from a new ledger a million transfers in half a minute. */
async function waitForSums(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    for (;;) {
      const { rows } = await client.query<{ isSummed: boolean }>(
        `select count(*) = 0 as "isSummed" from (select 1 from transfer
          where id > (select coalesce(max(last_transfer_id), 0) from report_progress) offset 5000 limit 1) newer`,
      )
      if (rows[0]!.isSummed) return
      await wait(1_000)
    }
  } finally {
    await client.end()
  }
}

export const summarize = (name: string, took: readonly number[]): ListBench => ({
  name,
  p50: median(took),
  p95: percentile(took, 0.95),
})

/** Every list, of all users and of the largest seller, as an administrator asks for it. */
export async function buildListRequests(
  ctx: Pick<ServerProcess, 'admin' | 'call'>,
): Promise<ListRequest[]> {
  const { token } = await ctx.admin()
  const list = <C extends Endpoint>(
    name: string,
    call: C,
    input: RequestInput<C>,
  ): ListRequest => ({
    name,
    send: () => ctx.call(call, input, token),
  })
  const sample = (await ctx.call(listAllOrders, { query: { limit: 1, state: 'purchased' } }, token))
    .body.orders[0]!
  const {
    body: [seller],
  } = await ctx.call(listUsers, { query: { search: 'seller1@example.com', limit: 1 } }, token)
  const {
    body: [other],
  } = await ctx.call(listUsers, { query: { search: 'seller77@example.com', limit: 1 } }, token)
  const [params, others] = [{ userId: seller!._id }, { userId: other!._id }]
  const all = (await ctx.call(listAllOrders, { query: { limit: 1 } }, token)).body.totalCount
  const { users } = (await ctx.call(getAdminDashboard, { query: {} }, token)).body
  const sellerTotal = (await ctx.call(totalOrders, { params }, token)).body.totalOrders
  const movements = (await ctx.call(statement, { params, query: { limit: 1 } }, token)).body
    .totalCount
  const last = (count: number): number => Math.ceil(count / PAGE_ROWS)
  const middle = (count: number): number => Math.ceil(count / PAGE_ROWS / 2)
  const labels = (name: string, query: RequestInput<typeof listAllOrders>['query']): ListRequest =>
    list(`all labels, ${name}`, listAllOrders, { query: { limit: PAGE_ROWS, ...query } })
  const orders = (name: string, query: RequestInput<typeof listOrders>['query']): ListRequest =>
    list(`a seller's labels, ${name}`, listOrders, {
      params,
      query: { limit: PAGE_ROWS, ...query },
    })
  const ended = sample.createdAt
  const monthAgo = new Date(Date.parse(ended) - 30 * 86_400_000).toISOString()
  // A receiver of only some of the seller's labels.
  const newest = (
    await ctx.call(listAllOrders, { query: { limit: 1, state: 'purchased', ...params } }, token)
  ).body.orders[0]!
  const [given, surname] = newest.receiver.receiver_name!.toLowerCase().split(' ') as [
    string,
    string,
  ]
  const batchId = (await ctx.call(listBatches, { params, query: { limit: 1 } }, token)).body[0]!._id
  return [
    ...USER_SORTS.map(sort =>
      list(`users by ${sort}`, listUsers, { query: { sort, limit: PAGE_ROWS } }),
    ),
    list('users, last page', listUsers, { query: { limit: PAGE_ROWS, page: last(users) } }),
    list('users, search', listUsers, { query: { search: 'riv', limit: PAGE_ROWS } }),
    labels('first page', {}),
    labels('middle page', { page: middle(all) }),
    labels('last page', { page: last(all) }),
    ...(
      ['queued', 'purchasing', 'unknown', 'purchased', 'failed', 'voiding', 'voided'] as const
    ).map(state => labels(state, { state })),
    ...(['pending', 'completed', 'cancelled'] as const).map(status => labels(status, { status })),
    ...PARCEL_STAGES.map(parcel => labels(`parcels: ${parcel}`, { parcel })),
    labels('parcels with a problem, 20th page', { parcel: 'problem', page: 20 }),
    labels('parcels of a month', { parcel: 'problem', from: monthAgo, to: ended }),
    labels('parcels of a bulk order', { parcel: 'delivered', batchId }),
    labels('of the largest seller', params),
    labels('of another seller', others),
    labels('failed of the largest seller', { ...params, state: 'failed' }),
    labels('voided of another seller', { ...others, state: 'voided' }),
    labels('of a bulk order', { batchId }),
    labels('of a month', { from: monthAgo, to: ended }),
    labels('failed of a month', { from: monthAgo, to: ended, state: 'failed' }),
    labels('of a month, 100th page', { from: monthAgo, to: ended, page: 100 }),
    labels('before a month ago', { to: monthAgo }),
    labels('by tracking number', { search: sample.tracking_number! }),
    labels('by its last six', { search: sample.tracking_number!.slice(-6) }),
    labels('by its last four', { search: sample.tracking_number!.slice(-4) }),
    labels('by number', { search: sample._id }),
    labels('by reference', { search: '112-0404' }),
    labels('by the start of every fourth reference', { search: '112' }),
    labels('by a name of the largest seller', { ...params, search: surname }),
    labels('by a search without matches', { search: 'no such receiver' }),
    list('one label and its timeline', orderDetails, { params: { orderId: sample._id } }),
    orders('first page', {}),
    orders('middle page', { page: middle(sellerTotal) }),
    orders('last page', { page: last(sellerTotal) }),
    orders('by a name', { search: surname }),
    orders('by a given name', { search: given }),
    orders('by the sender of all', { search: 'mason' }),
    orders('by one letter', { search: 'm' }),
    orders('by two names', { search: `${given} ${surname}` }),
    ...(['pending', 'completed', 'cancelled'] as const).map(status => orders(status, { status })),
    ...PARCEL_STAGES.map(parcel => orders(`parcels: ${parcel}`, { parcel })),
    orders('parcels: delivered, by a name', { parcel: 'delivered', search: surname }),
    orders('parcels: problem, by the sender of all', { parcel: 'problem', search: 'mason' }),
    orders('parcels: delivered, by the sender of all', { parcel: 'delivered', search: 'mason' }),
    orders('cancelled, by the sender of all', { status: 'cancelled', search: 'mason' }),
    orders('by reference', { search: '0404' }),
    orders('by tracking number', { search: newest.tracking_number! }),
    orders('by the end of one', { search: newest.tracking_number!.slice(-5) }),
    orders('by a search without matches', { search: 'no such receiver' }),
    ...combinedFilters(surname, { from: monthAgo, to: ended }).map(([name, query]) =>
      orders(name, query),
    ),
    orders('first page by its id', { after: newest._id }),
    orders('completed of a month, by its id', {
      after: newest._id,
      status: 'completed',
      from: monthAgo,
      to: ended,
    }),
    list('recent labels', recentOrders, { params, query: {} }),
    list('total of labels', totalOrders, { params }),
    list('trend of labels', orderTrend, { params, query: {} }),
    list('trend of the wallet', walletTrend, { params, query: {} }),
    list('labels of a day for SCAN forms', scanFormCandidates, {
      params,
      query: { day: newest.createdAt.slice(0, 10) },
    }),
    list('SCAN forms', listScanForms, { params, query: {} }),
    list('bulk orders', listBatches, { params, query: { limit: PAGE_ROWS } }),
    list('bulk orders, last page', listBatches, { params, query: { limit: PAGE_ROWS, page: 9 } }),
    list('statement', statement, { params, query: { limit: PAGE_ROWS } }),
    list('statement, middle page', statement, {
      params,
      query: { limit: PAGE_ROWS, page: middle(movements) },
    }),
    list('statement, last page', statement, {
      params,
      query: { limit: PAGE_ROWS, page: last(movements) },
    }),
    list('statement, refunds', statement, {
      params,
      query: { limit: PAGE_ROWS, filter: 'refund' },
    }),
    list('deposits', listDeposits, { params, query: { limit: PAGE_ROWS } }),
    list('recent deposits', recentDeposits, { params, query: {} }),
    list('deposits in review', listDepositsInReview, { query: { limit: PAGE_ROWS } }),
    list('invited users', invitedUsers, { params, query: { limit: PAGE_ROWS } }),
    list('codes in use', listReferrers, { query: { limit: 10 } }),
    list('addresses', listAddresses, { params }),
    list('SKUs', listSkus, { params }),
    list('audit', listAuditEntries, { query: { limit: PAGE_ROWS } }),
    list('audit, 200th page', listAuditEntries, { query: { limit: PAGE_ROWS, page: 200 } }),
    list('audit of denials', listAuditEntries, { query: { limit: PAGE_ROWS, kind: 'denied' } }),
    list('audit of a user', listAuditEntries, { query: { limit: PAGE_ROWS, ...params } }),
    list('audit of a month', listAuditEntries, {
      query: { limit: PAGE_ROWS, from: monthAgo, to: ended },
    }),
    list('dashboard', getAdminDashboard, { query: {} }),
    ...REPORT_DAYS.flatMap(days => {
      const query = { days, timezone: 'America/New_York' }
      return [
        list(`report of sales, ${days} days`, salesReport, { params, query }),
        list(`report of destinations, ${days} days`, destinationReport, { params, query }),
        list(`report of the balance, ${days} days`, balanceReport, { params, query }),
        list(`report of the trade, ${days} days`, tradeReport, { query }),
      ]
    }),
    list('report of tasks', taskReport, { params }),
    list('report of the carrier balance', runwayReport, {}),
    list('report of the costs by weight', costReport, {}),
    list('bulk orders without files', listBatchFileFailures, { query: { limit: PAGE_ROWS } }),
  ]
}

const GROUND = 'usps:GROUND_ADVANTAGE'

/** Filters that leave few or most of the seller's labels, beside a time, a service or a word that all or few of them have. */
function combinedFilters(
  surname: string,
  month: { from: string; to: string },
): [string, RequestInput<typeof listOrders>['query']][] {
  return [
    ['completed of a month, by a name', { ...month, status: 'completed', search: surname }],
    [
      'completed of a month, by the sender of all',
      { ...month, status: 'completed', search: 'mason' },
    ],
    [
      'cancelled of a month, by the sender of all',
      { ...month, status: 'cancelled', search: 'mason' },
    ],
    ['cancelled of a month', { ...month, status: 'cancelled' }],
    ['pending of a month', { ...month, status: 'pending' }],
    ['a service', { service: GROUND }],
    ['a service, completed', { service: GROUND, status: 'completed' }],
    ['a service, cancelled', { service: GROUND, status: 'cancelled' }],
    ['a service, pending', { service: GROUND, status: 'pending' }],
    ['a service of a month, completed', { ...month, service: GROUND, status: 'completed' }],
    ['a service, by a name', { service: GROUND, search: surname }],
    ['a service, by the sender of all', { service: GROUND, search: 'mason' }],
    ['a service never used', { service: 'usps:EXPRESS', status: 'completed' }],
    ['a service, parcels with a problem', { service: GROUND, parcel: 'problem' }],
    ['a service, parcels that are delivered', { service: GROUND, parcel: 'delivered' }],
    ['parcels with a problem of a month', { ...month, parcel: 'problem' }],
    ['parcels that are delivered of a month', { ...month, parcel: 'delivered' }],
    ['a service of a month, by the sender of all', { ...month, service: GROUND, search: 'mason' }],
  ]
}
