/** How a running bulk order is expected to go on: when it is done, or what it waits for. */
import { findPause } from '#server/carriers/budget-store.ts'
import { refillPerMinute } from '#server/carriers/rules.ts'
import { countQueuedAhead } from '#server/orders/open-labels-store.ts'
import type { WithBatches } from './close.ts'
import { estimateRemainingMs, isOpen, accountProblemText } from './rules.ts'
import type { CountedBatch } from './service.ts'

/** Both are left out where there is nothing to say. `expectedAt`: ISO 8601. */
export type BatchEta = { expectedAt?: string; waitingFor?: string }

export async function batchEtaFor(
  ctx: WithBatches,
  { batch, counts }: CountedBatch,
): Promise<BatchEta> {
  if (!isOpen(batch.status!) || batch.acceptedAt === null) return {}
  const { db } = ctx.database
  const { account, rateLimit, callsPerLabel } = ctx.carrier
  const rest = await findPause(db, account)
  const now = Date.now()
  const waits = rest && accountProblemText(rest)
  if (waits) return { waitingFor: waits }
  const done = batch.retriedMs === null ? counts.processed : 0
  const { ahead, owners } = rateLimit
    ? await countQueuedAhead(db, batch.userId, batch.id)
    : { ahead: 0, owners: 1 }
  const ms = estimateRemainingMs({
    left: batch.total - counts.processed,
    ahead,
    owners,
    labelsPerMinute: rateLimit && refillPerMinute(rateLimit) / callsPerLabel,
    done,
    ranMs: batch.retriedMs ?? now - batch.acceptedAt.getTime(),
    restMs: rest?.until ? rest.until.getTime() - now : 0,
  })
  return ms === null ? {} : { expectedAt: new Date(now + ms).toISOString() }
}
