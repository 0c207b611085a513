/** Places the orders of shipments in batches, in processes that work. */
import { isDatabaseUnavailable } from '#server/platform/database/faults.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { tellEndedBatches } from './batches.ts'
import { queueShipment, rateOfService } from './buy.ts'
import type { EasypostContext } from './context.ts'
import { sentenceOf } from './errors.ts'
import { claimQueuedShipments, refuseQueued } from './shipment-store.ts'
import type { BuyClaim } from './shipment-store.ts'
import { findShipments } from './shipments.ts'
import { sweepUnused } from './sweep.ts'

const TICK_MS = 500
const CLAIM_AT_ONCE = 50
const PLACED_AT_ONCE = 5
/** Far above what placing so many orders takes. */
const LEASE_MS = 60_000
const SWEEP_MS = 60 * 60_000

export type EasypostJobs = { start(): Promise<void>; stop(): Promise<void> }

/** Buys what is queued, and deletes every hour what was never used. */
export function openEasypostJobs(ctx: EasypostContext): EasypostJobs {
  const timers: NodeJS.Timeout[] = []
  let isStopped = false
  let buying: Promise<unknown> = Promise.resolve()
  let sweeping: Promise<unknown> = Promise.resolve()
  const report = (error: unknown): void => {
    if (!isDatabaseUnavailable(error))
      ctx.log.error({ err: error }, 'a job of /v2 failed; another try follows')
  }
  let isBuying = false
  const buy = async (): Promise<void> => {
    isBuying = true
    while (!isStopped && (await placeQueued(ctx)) === CLAIM_AT_ONCE);
    await tellEndedBatches(ctx)
  }
  const sweep = (): Promise<unknown> => sweepUnused(ctx, () => isStopped).catch(report)
  return {
    async start() {
      if (ctx.config.role === 'web') return
      timers.push(
        setInterval(() => {
          if (!isBuying)
            buying = buy()
              .catch(report)
              .finally(() => (isBuying = false))
        }, TICK_MS),
        setInterval(() => (sweeping = sweeping.then(sweep)), SWEEP_MS),
      )
      sweeping = sweep()
    },
    async stop() {
      isStopped = true
      for (const timer of timers) clearInterval(timer)
      await Promise.all([buying, sweeping])
    },
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
