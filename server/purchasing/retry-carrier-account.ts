import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import { allowTryDuringPause, carrierAccounts, findPause } from '#server/carriers/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { makeQueuedDue } from './queue-store.ts'
import { WAITING_FOR_ACCOUNT } from './rules.ts'

const RETRIED_AT_ONCE = 50

/** The first connected account, in the order of the configuration, that purchases wait for. */
export async function findPausedAccount(ctx: LabelContext): Promise<PausedAccount | null> {
  for (const { name, carrier } of carrierAccounts(ctx)) {
    const pause = await findPause(ctx.database.db, carrier.account)
    if (pause?.reason) return { ...pause, reason: pause.reason, name, account: carrier.account }
  }
  return null
}

export type PausedAccount = NonNullable<Awaited<ReturnType<typeof findPause>>> & {
  reason: string
  name: string
  account: string
}

/**
 * After the operator has fixed the carrier account: that of this short name, or the first that purchases wait for. Throws
 * Refusal: 404 for an unknown name, 409 if purchases do not wait for it.
 */
export async function retryCarrierAccount(
  ctx: LabelContext,
  actorId: number,
  name?: string,
): Promise<void> {
  const only = carrierAccounts(ctx).find(one => one.name === name)
  if (name !== undefined && !only)
    throw new Refusal('carrier_account_unknown', 'There is no carrier account of this name')
  const paused = await findPausedAccount(
    only ? { ...ctx, carrier: only.carrier, carrierAccounts: [only] } : ctx,
  )
  if (!paused) throw new Refusal('nothing_to_do', 'Purchases are not paused')
  const { reason, account } = paused
  await ctx.database.tx(async tx => {
    await insertAuditEntry(tx, {
      actorId,
      subjectId: null,
      action: 'carrier-tried',
      detail: { reason, account },
    })
    await makeQueuedDue(tx, WAITING_FOR_ACCOUNT, RETRIED_AT_ONCE)
    await allowTryDuringPause(tx, account)
  })
}
