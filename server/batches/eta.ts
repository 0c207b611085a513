import { refillPerMinute } from '#server/carriers/rules.ts'
import { findPause } from '#server/carriers/service.ts'
import { sellerOf } from '#server/carriers/sources.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { countQueuedAhead, findNextService } from '#server/orders/service.ts'
import { accountProblemText, estimateRemainingMs, isOpen } from './rules.ts'
import type { CountedBatch } from './service.ts'

/** `expectedAt`: ISO 8601. */
export type BatchEta = { expectedAt?: string; waitingFor?: string }

export async function batchEtaFor(
  given: LabelContext,
  { batch, counts }: CountedBatch,
  now = Date.now(),
): Promise<BatchEta> {
  if (!isOpen(batch.status!) || batch.acceptedAt === null) return {}
  const { db } = given.database
  const service = given.carrierAccounts ? await findNextService(db, batch.id) : null
  // The account that sells the next of its labels.
  const { carrier } = service === null ? given : await sellerOf(given, db, service)
  const { account, rateLimit, callsPerLabel } = carrier
  const pause = await findPause(db, account)
  const problem = pause && accountProblemText(pause)
  if (problem) return { waitingFor: problem }
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
    pauseMs: pause?.until ? pause.until.getTime() - now : 0,
  })
  return ms === null ? {} : { expectedAt: new Date(now + ms).toISOString() }
}
