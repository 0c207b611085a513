/** The user's lowest price for a label, that of the lightest parcel, in dollars. */
import { useQuery } from '@tanstack/react-query'
import { availableServices, defaultServices, userServices } from '#contract/catalogue.ts'
import { quotePrice } from '#contract/orders.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useShownAccount } from '#web/client/shown-account.tsx'

/** Limits the price calls for users with many services. */
const MAX_QUOTED_SERVICES = 8

/** In lb: an ounce, since prices may have steps below a pound. */
const LIGHTEST = 1 / 16

/** Undefined while loading; null when it failed and for a user without services. */
export function useCheapestPrice(): number | null | undefined {
  const { user, isLook } = useShownAccount()
  const load = isLook ? cheapestListedPrice : cheapestPrice
  const { data, isError } = useQuery({
    queryKey: queryKeys.price(user._id, isLook ? 'cheapest-listed' : 'cheapest', LIGHTEST),
    queryFn: () => load(user._id),
    staleTime: 60_000,
  })
  return isError && data === undefined ? null : data
}

async function cheapestPrice(userId: string): Promise<number | null> {
  const services = await send(availableServices, { params: { userId } })
  const quotes = services.slice(0, MAX_QUOTED_SERVICES).map(async ({ uid }) => {
    const shipment = { service_name: uid, package: { package_weight: LIGHTEST } }
    const body = { userId, shipments: [shipment], each: true }
    const [quote] = (await send(quotePrice, { body })).prices ?? []
    // A service priced by the carrier has no price for a weight alone.
    return quote && 'price' in quote ? [quote.price] : []
  })
  const prices = (await Promise.all(quotes)).flat()
  return prices.length > 0 ? Math.min(...prices) : null
}

/** Only the user can ask for a quote; administrators read the prices that quotes are made of. */
async function cheapestListedPrice(userId: string): Promise<number | null> {
  const own = await send(userServices, { params: { userId } })
  const services = own.length > 0 ? own : await send(defaultServices, {})
  const prices = services
    .filter(({ enabled, status }) => enabled && status)
    .flatMap(service => service.prices)
    .filter(({ fromWeight, toWeight }) => fromWeight <= 1 && toWeight >= 1)
    .map(({ price }) => price)
  return prices.length > 0 ? Math.min(...prices) : null
}
