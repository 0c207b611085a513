/** The live prices of a parcel for all services, requested 300 ms after the last change of weight. */
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { AvailableService } from '#contract/catalogue.ts'
import { quotePrice } from '#contract/orders.ts'
import type { ShipmentPrice } from '#contract/orders.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { messageOf, send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { texts } from './texts.ts'

const QUOTE_DEBOUNCE_MS = 300

/** Of the chosen service. */
export type LabelPrice = {
  /** 0 while unknown and after a failure. */
  dollars: number
  state: 'none' | 'asking' | 'known' | 'failed'
  /** The error, in the server's words. */
  reason: string | null
  retry: () => void
}

type ServicePrices = {
  chosen: LabelPrice
  /** By uid: the price in dollars, or why this parcel has none. Empty until they are known. */
  byService: ReadonlyMap<string, ShipmentPrice>
}

/** `weightLb` as typed. The server prices an empty weight as 1 lb. */
export function useServicePrices(
  services: readonly AvailableService[] | undefined,
  service: string,
  weightLb: string,
): ServicePrices {
  const { _id: userId } = useUser()
  const [weight] = useDebouncedValue(weightLb, QUOTE_DEBOUNCE_MS)
  const uids = (services ?? []).map(({ uid }) => uid)
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: queryKeys.price(userId, uids.join(' '), weight),
    queryFn: async ({ signal }) => {
      const shipments = uids.map(uid => ({
        service_name: uid,
        package: { package_weight: weight === '' ? null : weight },
      }))
      const { prices } = await send(
        quotePrice,
        { body: { userId, shipments, each: true } },
        { signal },
      )
      return new Map(uids.map((uid, at) => [uid, prices![at]!] as const))
    },
    enabled: uids.length > 0,
    placeholderData: keepPreviousData,
  })
  const isCurrent = weight === weightLb && !isPlaceholderData
  const retry = () => void refetch()
  const failed = (reason: string): LabelPrice => ({ dollars: 0, state: 'failed', reason, retry })
  const byService = data ?? new Map<string, ShipmentPrice>()
  const chosen = (): LabelPrice => {
    if (service === '') return { dollars: 0, state: 'none', reason: null, retry }
    if (isCurrent && error) return failed(messageOf(error, texts.priceFailed))
    // A service of an earlier label may not be sold any more.
    if (services && !uids.includes(service))
      return { dollars: 0, state: 'none', reason: null, retry }
    const price = byService.get(service)
    if (isCurrent && price && 'reason' in price) return failed(price.reason)
    const dollars = price && 'price' in price ? price.price : 0
    return { dollars, state: isCurrent && price ? 'known' : 'asking', reason: null, retry }
  }
  return { chosen: chosen(), byService }
}
