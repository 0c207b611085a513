/** The live price of one label, requested 300 ms after the last change of service or weight. */
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { quotePrice } from '#contract/orders.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { messageOf, send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { texts } from './texts.ts'

const QUOTE_DEBOUNCE_MS = 300

export type LabelPrice = {
  /** 0 while unknown and after a failure. */
  dollars: number
  state: 'none' | 'asking' | 'known' | 'failed'
  /** The error, in the server's words. */
  reason: string | null
  retry: () => void
}

/** `weightLb` as typed. The server prices an empty weight as 1 lb. */
export function useLabelPrice(service: string, weightLb: string): LabelPrice {
  const { _id: userId } = useUser()
  const [debouncedService] = useDebouncedValue(service, QUOTE_DEBOUNCE_MS)
  const [debouncedWeight] = useDebouncedValue(weightLb, QUOTE_DEBOUNCE_MS)
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: queryKeys.price(userId, debouncedService, debouncedWeight),
    queryFn: ({ signal }) =>
      send(
        quotePrice,
        {
          body: {
            userId,
            shipments: [
              {
                service_name: debouncedService,
                package: { package_weight: debouncedWeight === '' ? null : debouncedWeight },
              },
            ],
          },
        },
        { signal },
      ),
    enabled: debouncedService !== '' && service !== '',
    placeholderData: keepPreviousData,
  })
  const retry = () => void refetch()
  if (service === '') return { dollars: 0, state: 'none', reason: null, retry }
  const isCurrent =
    debouncedService === service && debouncedWeight === weightLb && !isPlaceholderData
  if (isCurrent && error)
    return { dollars: 0, state: 'failed', reason: messageOf(error, texts.priceFailed), retry }
  return {
    dollars: data?.totalPrice ?? 0,
    state: isCurrent && data ? 'known' : 'asking',
    reason: null,
    retry,
  }
}
