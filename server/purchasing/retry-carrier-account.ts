import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import { findPause, expirePause } from '#server/carriers/budget-store.ts'
import { WAITING_FOR_ACCOUNT } from '#server/orders/rules.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { makeQueuedDue } from './queue-store.ts'
import type { LabelContext } from './settle.ts'

/** As many as may be tried before the next one comes by itself. */
const RETRIED_AT_ONCE = 50

/**
 * An operator has put the carrier account in order and does not want to wait: buying is tried again at once. Throws Refusal
 * 'conflict' when it is not waiting for him.
 */
export async function retryCarrierAccount(ctx: LabelContext, actorId: number): Promise<void> {
  const { account } = ctx.carrier
  const rest = await findPause(ctx.database.db, account)
  if (!rest?.reason) throw new Refusal('conflict', 'Buying is not waiting for the carrier account')
  const { reason } = rest
  await ctx.database.tx(async tx => {
    await insertAuditEntry(tx, {
      actorId,
      subjectId: null,
      action: 'carrier-tried',
      detail: { reason },
    })
    await makeQueuedDue(tx, WAITING_FOR_ACCOUNT, RETRIED_AT_ONCE)
    await expirePause(tx, account)
  })
}
