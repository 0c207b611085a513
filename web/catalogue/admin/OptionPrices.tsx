/** What signature and Saturday delivery cost with each default service. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConfiguredService } from '#contract/catalogue.ts'
import { OPTION_KINDS } from '#contract/label-options.ts'
import type { OptionKind } from '#contract/label-options.ts'
import { optionPrices, setOptionPrices } from '#contract/price-options.ts'
import type { ServiceOptionPrices } from '#contract/price-options.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { NumberField } from '#web/ui/Field.tsx'
import { amountOf, amountText, ServiceAmountsCard, ServiceAmountsForm } from './ServiceAmounts.tsx'
import { texts } from './texts.ts'
import styles from './OptionPrices.module.css'

const t = texts.options

export function OptionPrices({ services }: { services: readonly ConfiguredService[] }) {
  const { _id: adminId } = useUser()
  const queries = useQueryClient()
  const queryKey = [...queryKeys.defaultServices(adminId), 'options']
  const { data, isError, refetch } = useQuery({
    queryKey,
    queryFn: () => send(optionPrices, {}),
  })
  const saved = (service: ServiceOptionPrices) =>
    queries.setQueryData<ServiceOptionPrices[]>(queryKey, list =>
      list?.map(old => (old._id === service._id ? service : old)),
    )
  return (
    <ServiceAmountsCard
      about={t.about}
      failed={isError && !data ? t.failed : null}
      onRetry={() => void refetch()}
    >
      {services.map(({ _id, name }) => {
        const prices = data?.find(one => one._id === _id)
        return (
          prices && (
            <ServiceOptions
              key={_id}
              name={name}
              prices={prices}
              onSaved={saved}
              onConflict={() => void refetch()}
            />
          )
        )
      })}
    </ServiceAmountsCard>
  )
}

type ServiceOptionsProps = {
  name: string
  prices: ServiceOptionPrices
  onSaved: (service: ServiceOptionPrices) => void
  onConflict: () => void
}

/** As typed; empty: not offered. */
type TypedPrices = Record<OptionKind, string>

function ServiceOptions({ name, prices, onSaved, onConflict }: ServiceOptionsProps) {
  const before: TypedPrices = {
    signature: amountText(prices.signature.price),
    adult: amountText(prices.adult.price),
    saturday: amountText(prices.saturday.price),
  }
  const [typed, setTyped] = useState(before)
  const isChanged = OPTION_KINDS.some(kind => amountOf(typed[kind]) !== amountOf(before[kind]))
  const save = async () => {
    const { service } = await send(setOptionPrices, {
      params: { id: prices._id },
      body: { prices: inDollars(typed), seenPrices: inDollars(before) },
    })
    onSaved(service)
  }
  return (
    <ServiceAmountsForm
      name={name}
      texts={t}
      isChanged={isChanged}
      save={save}
      onConflict={onConflict}
      className={styles.service}
    >
      {problem => (
        <>
          {OPTION_KINDS.map(kind => (
            <NumberField
              key={kind}
              label={t.names[kind]}
              error={null}
              value={typed[kind]}
              min={0}
              allowNegative={false}
              decimalScale={2}
              prefix="$"
              placeholder={t.notOffered}
              disabled={!prices[kind].offered && prices[kind].price === null}
              description={prices[kind].offered ? undefined : t.notAtCarrier}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              autoComplete="off"
              onChange={value => setTyped(old => ({ ...old, [kind]: String(value) }))}
            />
          ))}
          {problem && (
            <div className={styles.problem}>
              <ErrorLine>{problem}</ErrorLine>
            </div>
          )}
        </>
      )}
    </ServiceAmountsForm>
  )
}

const inDollars = (typed: TypedPrices): Record<OptionKind, number | null> => ({
  signature: amountOf(typed.signature),
  adult: amountOf(typed.adult),
  saturday: amountOf(typed.saturday),
})
