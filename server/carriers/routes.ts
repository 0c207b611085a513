import { carrierBalance, sandboxPurchases } from '#contract/carriers.ts'
import { dollars } from '#contract/money.ts'
import type { Door } from '#server/platform/http.ts'
import { selectSold } from './sandbox/store.ts'
import { accountBalance } from './service.ts'
import type { WithCarrier } from './service.ts'

export function carrierRoutes(door: Door, house: WithCarrier): void {
  door.answer(carrierBalance, async () => {
    const left = await accountBalance(house)
    return { balance: left === null ? null : dollars(left) }
  })

  // The sandbox's own books, for tests and the curious; not there when labels are real.
  if (house.carrier.name !== 'sandbox') return
  door.answer(sandboxPurchases, async ({ query }) => {
    const sold = await selectSold(house.database.db, query.reference)
    return {
      purchases: sold.map(label => ({
        ...label,
        boughtAt: label.boughtAt.toISOString(),
        voidedAt: label.voidedAt?.toISOString() ?? null,
      })),
    }
  })
}
