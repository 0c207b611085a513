import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import { namesOfOwnCarrierAccount } from '#server/carriers/service.ts'
import { orderNotFound } from '#server/orders/access.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { contextOfLabel } from '#server/orders/label-account.ts'
import { LABEL_LEASE_MS } from '#server/orders/rules.ts'
import type { OrderRecord } from '#server/orders/rules.ts'
import { findOrder } from '#server/orders/service.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { askAndSettleVoids, claimOneVoid } from '#server/voids/settle.ts'
import { claimUnknownById } from './queue-store.ts'
import { lookUpAndSettle } from './reconcile.ts'

/**
 * For an administrator: looks up an unknown label or repeats a pending void, outside the rate
 * limit. Throws Refusal: 404, 409 if nothing is open at the carrier.
 */
export async function lookUpForAdmin(
  given: LabelContext,
  actorId: number,
  orderId: number,
): Promise<OrderRecord> {
  const ctx = await contextOfLabel(given, orderId)
  const { db, tx: inTx } = ctx.database
  const order = await findOrder(db, orderId)
  if (!order) throw orderNotFound()
  const { unknown, voids } = await inTx(async tx => {
    const claimed = {
      unknown: await claimUnknownById(tx, namesOfOwnCarrierAccount(ctx), orderId, LABEL_LEASE_MS),
      voids: await claimOneVoid(ctx, tx, orderId),
    }
    if (claimed.unknown.length + claimed.voids.claims.length === 0) {
      throw new Refusal('nothing_to_do', 'This label has nothing to check with the carrier')
    }
    await auditCarrierCheck(tx, actorId, order)
    return claimed
  })
  if (unknown.length > 0) await lookUpAndSettle(ctx, unknown, { isLimited: false })
  await askAndSettleVoids(ctx, voids, ctx.config.carrierTimeoutMs)
  return (await findOrder(db, orderId))!
}

export const auditCarrierCheck = (
  tx: Tx,
  actorId: number,
  { id, userId }: OrderRecord,
): Promise<number> =>
  insertAuditEntry(tx, {
    actorId,
    subjectId: userId,
    action: 'label-checked',
    detail: { orderId: id },
  })
