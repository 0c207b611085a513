import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import { carrierAccountNames } from '#server/carriers/service.ts'
import { findOrder } from '#server/orders/store.ts'
import type { OrderRecord } from '#server/orders/store.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { askAndSettleVoids, claimOneVoid } from '#server/voids/service.ts'
import { claimUnknownById } from './queue-store.ts'
import { LABEL_LEASE_MS, lookUpAndSettle } from './reconcile.ts'
import type { LabelContext } from './settle.ts'

/**
 * Asks the carrier now, for an administrator who does not want to wait: what became of a label of unknown outcome, or to void one
 * whose void has no answer yet. Settles what it says and returns the order as it is then. Throws Refusal: 'not_found', 'conflict'
 * for a label of which nothing is open with the carrier.
 */
export async function lookUpForAdmin(
  ctx: LabelContext,
  actorId: number,
  orderId: number,
): Promise<OrderRecord> {
  const { db, tx: inTx } = ctx.database
  const order = await findOrder(db, orderId)
  if (!order) throw new Refusal('not_found', 'There is no such order')
  const { unknown, voids } = await inTx(async tx => {
    const taken = {
      unknown: await claimUnknownById(tx, carrierAccountNames(ctx), orderId, LABEL_LEASE_MS),
      voids: await claimOneVoid(ctx, tx, orderId),
    }
    if (taken.unknown.length + taken.voids.claims.length === 0) {
      throw new Refusal('conflict', 'There is nothing to ask the carrier about this label')
    }
    await insertAuditEntry(tx, {
      actorId,
      subjectId: order.userId,
      action: 'label-checked',
      detail: { orderId },
    })
    return taken
  })
  if (unknown.length > 0) await lookUpAndSettle(ctx, unknown)
  await askAndSettleVoids(ctx, voids, ctx.config.carrierTimeoutMs)
  return (await findOrder(db, orderId))!
}
