/** What signature and Saturday delivery cost with each default service. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ConfiguredService } from '#contract/catalogue.ts'
import { OPTION_KINDS } from '#contract/label-options.ts'
import type { OptionKind } from '#contract/label-options.ts'
import { optionPrices, setOptionPrices } from '#contract/price-options.ts'
import type { ServiceOptionPrices } from '#contract/price-options.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { ServiceAmounts } from './ServiceAmounts.tsx'
import { texts } from './texts.ts'

const t = texts.options

export function OptionPrices({ services }: { services: readonly ConfiguredService[] }) {
  const { _id: adminId } = useUser()
  const queries = useQueryClient()
  const queryKey = [...queryKeys.defaultServices(adminId), 'options']
  const { data, isError, refetch } = useQuery({
    queryKey,
    queryFn: () => send(optionPrices, {}),
  })
  const rows = services.flatMap(({ _id, name }) => {
    const prices = data?.find(one => one._id === _id)
    return prices ? [{ id: _id, name, fields: fieldsOf(prices) }] : []
  })
  type Prices = Record<OptionKind, number | null>
  const save = async (id: string, prices: Prices, seenPrices: Prices) => {
    const { service } = await send(setOptionPrices, {
      params: { id },
      body: { prices, seenPrices },
    })
    queries.setQueryData<ServiceOptionPrices[]>(queryKey, list =>
      list?.map(old => (old._id === id ? service : old)),
    )
  }
  return (
    <ServiceAmounts
      name={t.title}
      about={t.about}
      failed={isError && !data ? t.failed : null}
      onRetry={() => void refetch()}
      rows={rows}
      save={save}
      onConflict={() => void refetch()}
      texts={t}
    />
  )
}

const fieldsOf = (prices: ServiceOptionPrices) =>
  OPTION_KINDS.map(key => ({
    key,
    label: t.names[key],
    dollars: prices[key].price,
    placeholder: t.notOffered,
    isDisabled: !prices[key].offered && prices[key].price === null,
    note: prices[key].offered ? undefined : t.notAtCarrier,
  }))
