import { dollars } from '#contract/money.ts'
import * as calls from '#contract/orders.ts'
import type { Door } from '#server/platform/http.ts'
import type { WithBatches } from './close.ts'
import { voidBatch, voidsOf } from './voids.ts'

export function batchVoidRoutes(door: Door, house: WithBatches): void {
  door.answer(calls.batchVoids, async ({ params, caller }) => {
    const counted = await voidsOf(house, caller, Number(params.orderId))
    return { ...counted, amount: dollars(counted.amount) }
  })

  door.answer(calls.voidBatch, ({ params, caller }) =>
    voidBatch(house, caller, Number(params.orderId)),
  )
}
