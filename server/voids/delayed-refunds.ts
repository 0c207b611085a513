/**
 * Refunds that wait some days after the carrier's confirmation (REFUND_DELAY_DAYS). A scan in that
 * time stops the refund until an administrator decides (docs/decisions/0062).
 */
import { batchIdsOf } from '#server/batches/rules.ts'
import { settleEach } from '#server/carriers/settle-each.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { LABEL_LEASE_MS } from '#server/orders/rules.ts'
import { applyVoidVerdicts } from './settle.ts'
import { claimDueRefunds } from './store.ts'

const REFUNDS_AT_ONCE = 50
const PAID = { state: 'voided' } as const

/** Gives back what is due. After a crash another process continues when the lease ends. */
export async function payDueRefunds(ctx: LabelContext): Promise<void> {
  while (!ctx.closing.aborted) {
    const { claims, stopped, isDone } = await ctx.database.tx(tx =>
      claimDueRefunds(tx, REFUNDS_AT_ONCE, LABEL_LEASE_MS),
    )
    for (const orderId of stopped)
      ctx.log.warn({ orderId }, 'a refund is stopped: the carrier scanned the label after its void')
    if (isDone) return
    await settleEach(
      claims,
      async group => {
        await ctx.database.tx(tx =>
          applyVoidVerdicts(
            ctx,
            tx,
            group.map(claim => ({ claim, verdict: PAID })),
          ),
        )
        ctx.batchProgress.emit(batchIdsOf(group))
      },
      (error, { id }) =>
        ctx.log.error({ err: error, orderId: id }, 'a delayed refund could not be settled'),
    )
  }
}
