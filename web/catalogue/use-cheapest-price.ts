/** The user's lowest price for a label of 1 lb, in dollars. */
import { useQuery } from '@tanstack/react-query'
import { availableServices } from '#contract/catalogue.ts'
import { quotePrice } from '#contract/orders.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'

/** Limits the price calls for users with many services. */
const MAX_QUOTED_SERVICES = 8

/** Undefined while loading or when it failed; null for a user without services. */
export function useCheapestPrice(): number | null | undefined {
  const { _id: userId } = useUser()
  return useQuery({
    queryKey: queryKeys.price(userId, 'cheapest', 1),
    queryFn: () => cheapestPrice(userId),
    staleTime: 60_000,
  }).data
}

async function cheapestPrice(userId: string): Promise<number | null> {
  const services = await send(availableServices, { params: { userId } })
  const quotes = services.slice(0, MAX_QUOTED_SERVICES).map(async ({ uid }) => {
    const shipment = { service_name: uid, package: { package_weight: 1 } }
    return (await send(quotePrice, { body: { userId, shipments: [shipment] } })).totalPrice
  })
  const prices = await Promise.all(quotes)
  return prices.length > 0 ? Math.min(...prices) : null
}
