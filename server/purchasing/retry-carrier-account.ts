import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import { allowTryDuringPause, findPause } from '#server/carriers/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { makeQueuedDue } from './queue-store.ts'
import { WAITING_FOR_ACCOUNT } from './rules.ts'

const RETRIED_AT_ONCE = 50

/**
 * After the operator has fixed the carrier account. Throws Refusal 409 if buying does not
 * wait for it.
 */
export async function retryCarrierAccount(ctx: LabelContext, actorId: number): Promise<void> {
  const { account } = ctx.carrier
  const pause = await findPause(ctx.database.db, account)
  if (!pause?.reason)
    throw new Refusal('nothing_to_do', 'Buying is not waiting for the carrier account')
  const { reason } = pause
  await ctx.database.tx(async tx => {
    await insertAuditEntry(tx, {
      actorId,
      subjectId: null,
      action: 'carrier-tried',
      detail: { reason },
    })
    await makeQueuedDue(tx, WAITING_FOR_ACCOUNT, RETRIED_AT_ONCE)
    await allowTryDuringPause(tx, account)
  })
}
