/**
 * How a bulk order of 10,000 affects other users: one buys single labels (from the request until
 * the PDF), another submits bulk orders of one label, all while the large one runs.
 */
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { isTerminal } from '#contract/batch-status.ts'
import { placeOrder } from '#contract/orders.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { startServer } from '#tests/support/server-process.ts'
import type { ServerProcess, SignedInUser } from '#tests/support/server-process.ts'
import { bulkOrderStatus, submitBulkOrder } from './bulk-order.ts'
import { median, percentile } from './figures.ts'

/**
 * ms. `maxLabelsAhead`: most labels of the large order that were bought before a small one that was
 * already waiting.
 */
export type LoadLatency = {
  singleCount: number
  p50: number
  p99: number
  smallBatchCount: number
  maxLabelsAhead: number
}

/**
 * Runs `rounds` bulk orders one after another. Percentiles are of all single labels of all rounds.
 */
export async function measureLatencyUnderLoad(
  dataDir: string,
  databaseUrl: string,
  labels: number,
  rounds: number,
): Promise<LoadLatency> {
  const ctx = await startServer(dataDir, { DATABASE_URL: databaseUrl, LOG_LEVEL: 'error' })
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  try {
    const [seller, buyer, other] = (await Promise.all(
      ['Seller', 'Buyer', 'Other'].map(name => ctx.register(name)),
    )) as ThreeUsers
    for (let round = 0; round < rounds; round++) await ctx.pay(seller, labels * 6.5)
    for (const one of [buyer, other]) await ctx.pay(one, 50_000)
    for (let warm = 0; warm < 10; warm++) await buyOneLabel(ctx, buyer)
    const times: number[] = []
    const ahead: number[] = []
    for (let round = 0; round < rounds; round++) {
      let running = true
      const large = submitBulkOrder(ctx, seller, labels)
      const whileItRuns = async (work: () => Promise<unknown>): Promise<void> => {
        while (running) await work()
      }
      await Promise.all([
        waitForBatch(ctx, seller, large).finally(() => {
          running = false
        }),
        whileItRuns(async () => times.push(await buyOneLabel(ctx, buyer))),
        whileItRuns(async () => ahead.push(await countLabelsAhead(ctx, database, other, large))),
      ])
    }
    return {
      singleCount: times.length,
      p50: median(times),
      p99: percentile(times, 0.99),
      smallBatchCount: ahead.length,
      maxLabelsAhead: Math.max(...ahead),
    }
  } finally {
    await database.end()
    await ctx.stop('SIGTERM')
  }
}

type ThreeUsers = [seller: SignedInUser, buyer: SignedInUser, other: SignedInUser]

/** Returns ms from the request until the PDF is downloaded. */
async function buyOneLabel(ctx: ServerProcess, { token, user }: SignedInUser): Promise<number> {
  const began = performance.now()
  const { status, body } = await ctx.call(placeOrder, { body: singleOrderBody(user._id) }, token)
  if (!body.data?.pdfName) throw new Error(`one label: ${status} ${body.message}`)
  const pdf = await ctx.file(`/api/orders/download/v2/${body.data.pdfName}`, token)
  if (pdf.status !== 200) throw new Error(`its PDF: ${pdf.status}`)
  const took = performance.now() - began
  // All requests come from one address: stay below its rate limit.
  await wait(40)
  return took
}

async function waitForBatch(
  ctx: ServerProcess,
  by: SignedInUser,
  sent: Promise<string>,
): Promise<void> {
  const orderId = await sent
  while (!isTerminal((await bulkOrderStatus(ctx, by, orderId)).status)) await wait(100)
}

/**
 * Submits a bulk order of one label; counts the labels of the large one that were begun before it,
 * since it was accepted.
 */
async function countLabelsAhead(
  ctx: ServerProcess,
  database: pg.Client,
  by: SignedInUser,
  sent: Promise<string>,
): Promise<number> {
  const large = await sent
  const small = await submitBulkOrder(ctx, by, 1)
  const {
    rows: [clock],
  } = await database.query<{ now: string }>('select clock_timestamp()::text as now')
  await waitForBatch(ctx, by, Promise.resolve(small))
  const {
    rows: [begun],
  } = await database.query<{ labels: string }>(
    `
    select count(*) as labels from carrier_call c join shipment_order o on o.id = c.order_id
      where o.batch_id = $1 and c.started_at > $2 and c.started_at < (
        select min(mine.started_at) from carrier_call mine join shipment_order one on one.id = mine.order_id where one.batch_id = $3)`,
    [large, clock!.now, small],
  )
  return Number(begun!.labels)
}
