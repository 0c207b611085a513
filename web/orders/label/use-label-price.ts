/** The live prices of a parcel with all services, requested 300 ms after its last change. */
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { priceParcelOptions } from '#contract/price-options.ts'
import type { ServiceOption } from '#contract/price-options.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { messageOf, send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import type { LabelForm } from './form.ts'
import { wholePrice } from './label-options.ts'
import { texts } from './texts.ts'

const QUOTE_DEBOUNCE_MS = 300

/** Of the chosen service with its options. */
export type LabelPrice = {
  /** 0 while unknown and after a failure. */
  dollars: number
  /** The part of it that signature and Saturday cost. */
  options: number
  state: 'none' | 'asking' | 'known' | 'failed'
  /** The error, in the server's words. */
  reason: string | null
  retry: () => void
}

type ServicePrices = {
  chosen: LabelPrice
  /** By uid, of this parcel. Empty until they are known. */
  byService: ReadonlyMap<string, ServiceOption>
}

/** ZIP codes count for their first five digits: prices do not depend on more, nor on a part of one. */
const zipOf = (text: string): string | null => /^\s*(\d{5})/.exec(text)?.[1] ?? null

/** Enough of the parcel for days of arrival. */
export const isReadyToCompare = ({
  PackageWeight,
  FromZipPostal,
  ToZipPostal,
}: LabelForm): boolean =>
  Number(PackageWeight) > 0 && zipOf(FromZipPostal) !== null && zipOf(ToZipPostal) !== null

type PricedService = { uid: string; pricedByParcel?: boolean | undefined }

/** What the price of a form depends on; a service that is not in `services` has none. */
export function useServicePrices(
  services: readonly PricedService[] | undefined,
  form: LabelForm,
): ServicePrices {
  const { _id: userId } = useUser()
  // Without prices by distance, a ZIP code does not make the page ask, and wait, again.
  const byDistance = services?.some(({ pricedByParcel }) => pricedByParcel) ?? false
  const parcelJson = JSON.stringify({
    weight: form.PackageWeight || null,
    length: form.PackageLength || null,
    width: form.PackageWidth || null,
    height: form.PackageHeight || null,
    fromZip: byDistance ? zipOf(form.FromZipPostal) : null,
    toZip: byDistance ? zipOf(form.ToZipPostal) : null,
  })
  const [priced] = useDebouncedValue(parcelJson, QUOTE_DEBOUNCE_MS)
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: queryKeys.price(userId, 'options', priced),
    queryFn: async ({ signal }) => {
      const { options } = await send(
        priceParcelOptions,
        { params: { userId }, body: JSON.parse(priced) as object },
        { signal },
      )
      return new Map(options.map(option => [option.uid, option] as const))
    },
    placeholderData: keepPreviousData,
  })
  const isCurrent = priced === parcelJson && !isPlaceholderData
  const retry = () => void refetch()
  const failed = (reason: string): LabelPrice => ({
    dollars: 0,
    options: 0,
    state: 'failed',
    reason,
    retry,
  })
  const byService = data ?? new Map<string, ServiceOption>()
  const without: LabelPrice = { dollars: 0, options: 0, state: 'none', reason: null, retry }
  const chosen = (): LabelPrice => {
    const service = form.ServiceName
    if (service === '') return without
    if (isCurrent && error) return failed(messageOf(error, texts.priceFailed))
    // A service of an earlier label may not be sold any more.
    if (services && !services.some(({ uid }) => uid === service)) return without
    const option = byService.get(service)
    if (isCurrent && option?.reason) return failed(option.reason.text)
    const dollars = (option && wholePrice(form.ticked, option)) ?? 0
    const options = Math.round((dollars - (option?.price ?? 0)) * 100) / 100
    const state = isCurrent && option ? 'known' : 'asking'
    return { dollars, options, state, reason: null, retry }
  }
  return { chosen: chosen(), byService }
}
