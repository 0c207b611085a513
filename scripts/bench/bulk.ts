/** Bulk orders through the front door: a file of rows is submitted over HTTP to a house of its own, until its files are ready. */
import { readFileSync } from 'node:fs'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { rows } from '#tests/support/rows.ts'
import { startServer } from '#tests/support/server-process.ts'
import type { ServerProcess } from '#tests/support/server-process.ts'

export type BulkRun = {
  labels: number
  acceptedMs: number
  readyMs: number
  peakMb: number
  inputMb: number
}

/** Runs batches of these sizes one after another in one new house; `peakMb` is the process's largest resident memory up to then. */
export async function bulkRuns(
  dataDir: string,
  databaseUrl: string,
  sizes: number[],
): Promise<BulkRun[]> {
  const ctx = await startServer(dataDir, { DATABASE_URL: databaseUrl, LOG_LEVEL: 'error' })
  try {
    const seller = await ctx.register('Bench')
    for (let money = 0; money < sizes.reduce((a, b) => a + b, 0) * 7; money += 99_000)
      await ctx.pay(seller, 99_000)
    const runs: BulkRun[] = []
    for (const size of sizes) runs.push(await runBatch(ctx, seller, size))
    return runs
  } finally {
    await ctx.stop('SIGTERM')
  }
}

async function runBatch(
  ctx: ServerProcess,
  { token, user }: Awaited<ReturnType<ServerProcess['register']>>,
  labels: number,
): Promise<BulkRun> {
  const orderData = rows(labels)
  const began = performance.now()
  const {
    body: { orderId },
  } = await ctx.call(initBatch, { body: { userId: user._id } }, token)
  const { status, body } = await ctx.call(
    processBatch,
    { params: { userId: user._id }, body: { orderId, orderData } },
    token,
  )
  if (status !== 202) throw new Error(`submit: ${status} ${body.message}`)
  const accepted = performance.now()
  for (;;) {
    const { body: now } = await ctx.call(
      batchStatus,
      { params: { orderId }, query: { failedLabels: 'none' } },
      token,
    )
    if (isTerminal(now.status)) break
    await new Promise(done => setTimeout(done, 20))
  }
  const ready = performance.now()
  return {
    labels,
    acceptedMs: accepted - began,
    readyMs: ready - began,
    peakMb: peakMemoryMb(ctx.child.pid!),
    inputMb: JSON.stringify(orderData).length / 1e6,
  }
}

/** The largest resident memory of a process so far, in MB; only Linux tells (elsewhere NaN). */
function peakMemoryMb(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}
