/** How a running bulk order is expected to go on: when it is done, or what it waits for. */
import { findRest } from '#server/carriers/budget-store.ts'
import { steadyPerMinute } from '#server/carriers/rules.ts'
import { countAhead } from '#server/orders/open-store.ts'
import type { WithBatches } from './close.ts'
import { expectedMs, isOpen, waitingFor } from './rules.ts'
import type { Progress } from './service.ts'

/** Both are left out where there is nothing to say. `expectedAt`: ISO 8601. */
export type Outlook = { expectedAt?: string; waitingFor?: string }

export async function outlookOf(house: WithBatches, { batch, counts }: Progress): Promise<Outlook> {
  if (!isOpen(batch.status!) || batch.acceptedAt === null) return {}
  const { db } = house.database
  const { account, pace, callsPerLabel } = house.carrier
  const rest = await findRest(db, account)
  const now = Date.now()
  const waits = rest && waitingFor(rest)
  if (waits) return { waitingFor: waits }
  const done = batch.retriedMs === null ? counts.processed : 0
  const { ahead, owners } = pace
    ? await countAhead(db, batch.userId, batch.id)
    : { ahead: 0, owners: 1 }
  const ms = expectedMs({
    left: batch.total - counts.processed,
    ahead,
    owners,
    labelsPerMinute: pace && steadyPerMinute(pace) / callsPerLabel,
    done,
    ranMs: batch.retriedMs ?? now - batch.acceptedAt.getTime(),
    restMs: rest?.until ? rest.until.getTime() - now : 0,
  })
  return ms === null ? {} : { expectedAt: new Date(now + ms).toISOString() }
}
