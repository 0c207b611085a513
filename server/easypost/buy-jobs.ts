/** Places the orders of shipments in batches, in processes that work. */
import { Refusal } from '#server/platform/http/refusal.ts'
import { openRepeatedJob } from '#server/platform/process/repeated-job.ts'
import type { RepeatedJob } from '#server/platform/process/repeated-job.ts'
import { tellEndedBatches } from './batches.ts'
import { queueShipment, rateOfService } from './buy.ts'
import type { EasypostContext } from './context.ts'
import { sentenceOf } from './errors.ts'
import { claimQueuedShipments, refuseQueued } from './shipment-store.ts'
import type { BuyClaim } from './shipment-store.ts'
import { findShipments } from './shipments.ts'
import { sweepUnused } from './sweep.ts'

const CLAIM_AT_ONCE = 50
const PLACED_AT_ONCE = 5
/** Far above what placing so many orders takes. */
const LEASE_MS = 60_000

/** Buys what is queued, and deletes every hour what was never used. */
export function openEasypostJobs(ctx: EasypostContext): RepeatedJob {
  const failure = 'a job of /v2 failed; another try follows'
  const jobs = [
    openRepeatedJob(ctx, {
      pauseMs: 500,
      round: async isStopped => {
        while (!isStopped() && (await placeQueued(ctx)) === CLAIM_AT_ONCE);
        await tellEndedBatches(ctx)
      },
      failure,
    }),
    openRepeatedJob(ctx, {
      pauseMs: 60 * 60_000,
      round: isStopped => sweepUnused(ctx, isStopped),
      failure,
    }),
  ]
  return {
    start: async () => void (await Promise.all(jobs.map(job => job.start()))),
    stop: async () => void (await Promise.all(jobs.map(job => job.stop()))),
  }
}

/** Returns how many were claimed. */
export async function placeQueued(ctx: EasypostContext): Promise<number> {
  const claims = await ctx.database.tx(tx => claimQueuedShipments(tx, CLAIM_AT_ONCE, LEASE_MS))
  const waiting = [...claims]
  const placeNext = async (): Promise<void> => {
    for (let claim = waiting.shift(); claim; claim = waiting.shift()) await placeOne(ctx, claim)
  }
  const ended = await Promise.allSettled(Array.from({ length: PLACED_AT_ONCE }, placeNext))
  // Wakes the workers.
  if (claims.length > 0) ctx.batchProgress.emit([])
  const failed = ended.find(one => one.status === 'rejected')
  if (failed) throw failed.reason
  return claims.length
}

async function placeOne(
  ctx: EasypostContext,
  { id, userId, keyId, hasKeyEnded, isUserBlocked }: BuyClaim,
): Promise<void> {
  const [found] = await findShipments(ctx.database.db, [id])
  if (!found) return
  const { shipment } = found
  try {
    if (isUserBlocked)
      throw new Refusal('account_blocked', 'The account is blocked. Nothing was bought.')
    if (hasKeyEnded)
      throw new Refusal('key_not_valid', 'The key with which the batch was bought has ended.')
    const rate = rateOfService(shipment, shipment.batchService)
    await queueShipment(ctx, userId, shipment, rate, keyId === null ? null : { id: keyId })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await ctx.database.tx(tx => refuseQueued(tx, id, sentenceOf(error)))
  }
}
