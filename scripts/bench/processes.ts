/**
 * The same bulk order with 1, 2 or 4 workers beside a web process. With a carrier that responds at
 * once Evenpost is the limit, with a slow one the carrier is.
 */

import { isTerminal } from '#contract/batch-status.ts'
import { startServer } from '#tests/support/server-process.ts'
import { stopProcess, startWorkerProcess } from '#tests/support/worker-process.ts'
import { bulkOrderStatus, submitBulkOrder } from './bulk-order.ts'

export type ProcessRun = {
  workers: number
  latencyMs: number
  labels: number
  boughtPerSecond: number
  readyPerSecond: number
}

/** Labels a second, from the submit until the last is bought and until the files are ready. */
export async function processRuns(
  dataDir: string,
  databaseUrl: string,
  labels: number,
): Promise<ProcessRun[]> {
  const runs: ProcessRun[] = []
  for (const latencyMs of [0, 50, 200]) {
    for (const workers of [1, 2, 4])
      runs.push(await runWorkers({ dataDir, databaseUrl, labels, workers, latencyMs }))
  }
  return runs
}

type ProcessRunOptions = {
  dataDir: string
  databaseUrl: string
  labels: number
  workers: number
  latencyMs: number
}

async function runWorkers({
  dataDir,
  databaseUrl,
  labels,
  workers,
  latencyMs,
}: ProcessRunOptions): Promise<ProcessRun> {
  const env = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    DATABASE_POOL: '12',
    SANDBOX_CARRIER_LATENCY_MS: String(latencyMs),
  }
  const ctx = await startServer(dataDir, { ...env, ROLE: 'web' })
  const crew = await Promise.all(Array.from({ length: workers }, () => startWorkerProcess(env)))
  try {
    const seller = await ctx.register('Bench')
    await ctx.pay(seller, labels * 7)
    const orderId = await submitBulkOrder(ctx, seller, labels)
    const began = performance.now()
    let bought: number | undefined
    for (;;) {
      const now = await bulkOrderStatus(ctx, seller, orderId)
      if (now.processedCount === labels) bought ??= performance.now()
      if (isTerminal(now.status)) break
      await new Promise(done => setTimeout(done, 20))
    }
    const aSecond = (end: number): number => labels / ((end - began) / 1000)
    return {
      workers,
      latencyMs,
      labels,
      boughtPerSecond: aSecond(bought ?? performance.now()),
      readyPerSecond: aSecond(performance.now()),
    }
  } finally {
    await Promise.all(crew.map(worker => stopProcess(worker, 'SIGTERM')))
    await ctx.stop('SIGTERM')
  }
}
