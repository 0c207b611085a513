import { dollars } from '#contract/money.ts'
import * as calls from '#contract/voids.ts'
import type { WithBatches } from '#server/batches/close.ts'
import type { Router } from '#server/platform/http/router.ts'
import { voidBatchLabels, getBatchVoids } from './batch-voids.ts'

export function batchVoidRoutes(door: Router, ctx: WithBatches): void {
  door.handle(calls.batchVoidSummary, async ({ params, caller }) => {
    const counted = await getBatchVoids(ctx, caller, Number(params.orderId))
    return { ...counted, amount: dollars(counted.amount) }
  })

  door.handle(calls.voidBatch, ({ params, caller }) =>
    voidBatchLabels(ctx, caller, Number(params.orderId)),
  )
}
