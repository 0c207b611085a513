/** Bulk orders over HTTP, on a server of their own: from the submit until the files are ready. */
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { rows } from '#tests/support/rows.ts'
import { startServer } from '#tests/support/server-process.ts'
import type { ServerProcess } from '#tests/support/server-process.ts'

export type BulkRun = {
  labels: number
  acceptedMs: number
  readyMs: number
  /** Bytes of the database's write-ahead log. */
  walPerLabel: number
  peakMb: number
  inputMb: number
}

/**
 * Runs batches of these sizes one after another on a new server. `peakMb`: largest resident memory
 * of the process so far.
 */
export async function bulkRuns(
  dataDir: string,
  databaseUrl: string,
  sizes: number[],
): Promise<BulkRun[]> {
  const ctx = await startServer(dataDir, { DATABASE_URL: databaseUrl, LOG_LEVEL: 'error' })
  try {
    const seller = await ctx.register('Bench')
    for (let paid = 0; paid < sizes.reduce((a, b) => a + b, 0) * 7; paid += 99_000)
      await ctx.pay(seller, 99_000)
    const runs: BulkRun[] = []
    for (const size of sizes) {
      const before = await walPosition(databaseUrl)
      const run = await runBatch(ctx, seller, size)
      runs.push({ ...run, walPerLabel: ((await walPosition(databaseUrl)) - before) / size })
    }
    return runs
  } finally {
    await ctx.stop('SIGTERM')
  }
}

async function runBatch(
  ctx: ServerProcess,
  { token, user }: Awaited<ReturnType<ServerProcess['register']>>,
  labels: number,
): Promise<Omit<BulkRun, 'walPerLabel'>> {
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

/** Bytes of write-ahead log since the database was made. */
async function walPosition(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ bytes: string }>(
      "select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes",
    )
    return Number(rows[0]!.bytes)
  } finally {
    await client.end()
  }
}

/** Largest resident memory of a process so far, in MB; NaN except on Linux. */
function peakMemoryMb(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}
