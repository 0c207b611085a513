import { sandboxPurchases } from '#contract/carriers.ts'
import type { Door } from '#server/platform/http.ts'
import { selectSold } from './sandbox/store.ts'
import type { WithCarrier } from './service.ts'

/** The sandbox's own books, for tests and the curious; not there when labels are real. */
export function carrierRoutes(door: Door, house: WithCarrier): void {
  if (house.carrier.name !== 'sandbox') return
  door.answer(sandboxPurchases, async ({ query }) => {
    const sold = await selectSold(house.database.db, query.reference)
    return {
      purchases: sold.map(label => ({
        ...label, boughtAt: label.boughtAt.toISOString(), voidedAt: label.voidedAt?.toISOString() ?? null,
      })),
    }
  })
}
