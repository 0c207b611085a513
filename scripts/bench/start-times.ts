/**
 * Start times with an embedded database: in an empty folder, again, and after a kill in the middle
 * of a bulk order.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { isTerminal } from '#contract/batch-status.ts'
import { invariants } from '#contract/ledger.ts'
import { startServer } from '#tests/support/server-process.ts'
import type { ServerProcess, SignedInUser } from '#tests/support/server-process.ts'
import { bulkOrderStatus, submitBulkOrder } from './bulk-order.ts'

/**
 * ms. `resumeMs`: from the kill until a label is bought again. `isComplete`: finally all are bought
 * and the books balance.
 */
export type StartTimes = { firstMs: number; laterMs: number; resumeMs: number; isComplete: boolean }

/** Kills the server after about half of the labels. */
export async function measureStartTimes(dataDir: string, labels: number): Promise<StartTimes> {
  const env = { LOG_LEVEL: 'error', SANDBOX_CARRIER_LATENCY_MS: '50' }
  const timed = async (): Promise<{ ctx: ServerProcess; ms: number }> => {
    const began = performance.now()
    const ctx = await startServer(dataDir, env)
    return { ctx, ms: performance.now() - began }
  }
  const first = await timed()
  await first.ctx.stop('SIGTERM')
  const later = await timed()
  let { ctx } = later
  try {
    const seller = await ctx.register('Seller')
    await ctx.pay(seller, labels * 6.5)
    const orderId = await submitBulkOrder(ctx, seller, labels)
    while ((await getProcessedCount(ctx, seller, orderId)) < labels / 2) await wait(20)
    await ctx.stop('SIGKILL')
    const killed = performance.now()
    ctx = await startServer(dataDir, env)
    const before = await getProcessedCount(ctx, seller, orderId)
    while ((await getProcessedCount(ctx, seller, orderId)) === before) await wait(20)
    const onMs = performance.now() - killed
    return {
      firstMs: first.ms,
      laterMs: later.ms,
      resumeMs: onMs,
      isComplete: before < labels && (await isBatchComplete(ctx, seller, orderId, labels)),
    }
  } finally {
    await ctx.stop('SIGTERM')
  }
}

const getProcessedCount = async (
  ...of: [ctx: ServerProcess, by: SignedInUser, orderId: string]
): Promise<number> => (await bulkOrderStatus(...of)).processedCount

/** Labels in progress at the kill are looked up first, when their leases have ended. */
async function isBatchComplete(
  ctx: ServerProcess,
  seller: SignedInUser,
  orderId: string,
  labels: number,
): Promise<boolean> {
  for (;;) {
    const { status, processedCount, failedCount } = await bulkOrderStatus(ctx, seller, orderId)
    if (isTerminal(status)) {
      const { token } = await ctx.admin()
      const { body } = await ctx.call(invariants, {}, token)
      return processedCount === labels && failedCount === 0 && body.ok
    }
    await wait(200)
  }
}
