/** Webhooks: what a bulk order loses by them, how fast 10,000 messages arrive beside one, and one alone. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { placeOrder } from '#contract/orders.ts'
import { createWebhook } from '#contract/webhooks.ts'
import { rows, singleOrderBody } from '#tests/support/rows.ts'
import { startServer } from '#tests/support/server-process.ts'
import type { ServerProcess } from '#tests/support/server-process.ts'
import { median, percentile } from './figures.ts'

export type WebhookBench = {
  /** Labels a second from the submit until the last is bought, median of the rounds. */
  without: number
  withEndpoint: number
  withRows: number
  /** Of `messages` rows, from the first sale to the last message. */
  messages: number
  messageSeconds: number
  /** Milliseconds from a fact to the arrival of its message, beside a running bulk order and alone. */
  besideP95: number
  aloneP95: number
}

const ROUNDS = 3
const SINGLES = 40

type ArrivedMessage = { type: string; timestamp: string; at: number }

async function openReceiver(): Promise<{
  url: string
  arrived: ArrivedMessage[]
  close: () => void
}> {
  const arrived: ArrivedMessage[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const { type, timestamp } = JSON.parse(Buffer.concat(chunks).toString()) as ArrivedMessage
    arrived.push({ type, timestamp, at: Date.now() })
    response.writeHead(204).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, arrived, close: () => void server.close() }
}

type Seller = Awaited<ReturnType<ServerProcess['register']>>

async function openSeller(app: ServerProcess, dollars: number): Promise<Seller> {
  const seller = await app.register('Bench')
  for (let paid = 0; paid < dollars; paid += 99_000) await app.pay(seller, 99_000)
  return seller
}

async function listenAs(
  app: ServerProcess,
  { token, user }: Seller,
  url: string,
  bulkRows: boolean,
): Promise<void> {
  const types = ['label.bought', 'label.failed', 'batch.completed'] as const
  const made = await app.call(
    createWebhook,
    { params: { userId: user._id }, body: { url, types: [...types], bulkRows } },
    token,
  )
  if (made.status !== 200) throw new Error(made.body.message)
}

/** Labels a second. */
async function runBatch(
  app: ServerProcess,
  { token, user }: Seller,
  labels: number,
): Promise<number> {
  const userId = user._id
  const { orderId } = (await app.call(initBatch, { body: { userId } }, token)).body
  const orderData = rows(labels)
  const sent = await app.call(
    processBatch,
    { params: { userId }, body: { orderId, orderData } },
    token,
  )
  if (sent.status !== 202) throw new Error(`submit: ${sent.body.message}`)
  const began = performance.now()
  let bought: number | undefined
  for (;;) {
    const { body: now } = await app.call(
      batchStatus,
      { params: { orderId }, query: { failedLabels: 'none' } },
      token,
    )
    if (now.processedCount === labels) bought ??= performance.now()
    if (isTerminal(now.status)) break
    await wait(20)
  }
  return labels / (((bought ?? performance.now()) - began) / 1000)
}

async function orderSingles(app: ServerProcess, { token, user }: Seller): Promise<void> {
  for (let n = 0; n < SINGLES; n++) {
    await app.call(placeOrder, { body: singleOrderBody(user._id) }, token)
    await wait(50)
  }
}

const delays = (arrived: readonly ArrivedMessage[]): number[] =>
  arrived
    .filter(({ type }) => type === 'label.bought')
    .map(({ at, timestamp }) => at - Date.parse(timestamp))

export async function benchWebhooks(dataDir: string, databaseUrl: string): Promise<WebhookBench> {
  const labels = 5_000
  const messages = 10_000
  const env = { DATABASE_URL: databaseUrl, LOG_LEVEL: 'error', WEBHOOKS_ALLOW_LOOPBACK: 'yes' }
  const app = await startServer(dataDir, env)
  const [ended, all, beside] = [await openReceiver(), await openReceiver(), await openReceiver()]
  try {
    const dollars = labels * 7 * (ROUNDS + 1)
    const [none, ends, each] = [
      await openSeller(app, dollars),
      await openSeller(app, dollars),
      await openSeller(app, dollars + messages * 7),
    ]
    await listenAs(app, ends, ended.url, false)
    await listenAs(app, each, all.url, true)
    await runBatch(app, none, labels)
    const paces: Record<'none' | 'ends' | 'each', number[]> = { none: [], ends: [], each: [] }
    // In turns, so that other work of the machine meets each.
    for (let round = 0; round < ROUNDS; round++) {
      paces.none.push(await runBatch(app, none, labels))
      paces.ends.push(await runBatch(app, ends, labels))
      paces.each.push(await runBatch(app, each, labels))
      await untilArrived(all.arrived, labels * (round + 1) + round + 1)
    }
    const single = await openSeller(app, 5_000)
    await listenAs(app, single, beside.url, false)
    await orderSingles(app, single)
    await untilArrived(beside.arrived, SINGLES)
    const aloneP95 = percentile(delays(beside.arrived), 0.95)
    beside.arrived.length = 0
    const before = all.arrived.length
    const began = performance.now()
    await Promise.all([runBatch(app, each, messages), orderSingles(app, single)])
    await untilArrived(all.arrived, before + messages)
    const messageSeconds = (performance.now() - began) / 1000
    await untilArrived(beside.arrived, SINGLES)
    return {
      without: median(paces.none),
      withEndpoint: median(paces.ends),
      withRows: median(paces.each),
      messages,
      messageSeconds,
      besideP95: percentile(delays(beside.arrived), 0.95),
      aloneP95,
    }
  } finally {
    for (const { close } of [ended, all, beside]) close()
    await app.stop('SIGTERM')
  }
}

const PATIENCE_MS = 300_000

async function untilArrived(arrived: readonly ArrivedMessage[], count: number): Promise<void> {
  const until = Date.now() + PATIENCE_MS
  while (arrived.length < count) {
    if (Date.now() > until) throw new Error(`${arrived.length} of ${count} messages arrived`)
    await wait(20)
  }
}
