/** How much more than its price a label of each default service may cost the operator. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConfiguredService } from '#contract/catalogue.ts'
import { lossLimits, setLossLimit } from '#contract/loss-limits.ts'
import type { LossLimits as Limits, ServiceLossLimit } from '#contract/loss-limits.ts'
import { usdFromDollars } from '#contract/money.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { NumberField } from '#web/ui/Field.tsx'
import { amountOf, amountText, ServiceAmountsCard, ServiceAmountsForm } from './ServiceAmounts.tsx'
import { texts } from './texts.ts'
import styles from './LossLimits.module.css'

const t = texts.losses

export function LossLimits({ services }: { services: readonly ConfiguredService[] }) {
  const { _id: adminId } = useUser()
  const queries = useQueryClient()
  const queryKey = [...queryKeys.defaultServices(adminId), 'losses']
  const { data, isError, refetch } = useQuery({ queryKey, queryFn: () => send(lossLimits, {}) })
  const saved = (service: ServiceLossLimit) =>
    queries.setQueryData<Limits>(
      queryKey,
      old =>
        old && {
          ...old,
          services: old.services.map(one => (one._id === service._id ? service : one)),
        },
    )
  const installation =
    data === undefined || data.installation === null ? null : usdFromDollars(data.installation)
  return (
    <ServiceAmountsCard
      about={t.about(installation)}
      failed={isError && !data ? t.failed : null}
      onRetry={() => void refetch()}
    >
      {services.map(({ _id, name }) => {
        const limit = data?.services.find(one => one._id === _id)
        return (
          limit && (
            <ServiceLimit
              key={_id}
              name={name}
              limit={limit}
              placeholder={installation === null ? t.none : t.installation(installation)}
              onSaved={saved}
              onConflict={() => void refetch()}
            />
          )
        )
      })}
    </ServiceAmountsCard>
  )
}

type ServiceLimitProps = {
  name: string
  limit: ServiceLossLimit
  placeholder: string
  onSaved: (service: ServiceLossLimit) => void
  onConflict: () => void
}

function ServiceLimit({ name, limit, placeholder, onSaved, onConflict }: ServiceLimitProps) {
  const [typed, setTyped] = useState(amountText(limit.maxLoss))
  const save = async () => {
    const { service } = await send(setLossLimit, {
      params: { id: limit._id },
      body: { maxLoss: amountOf(typed), seenMaxLoss: limit.maxLoss },
    })
    onSaved(service)
  }
  return (
    <ServiceAmountsForm
      name={name}
      texts={t}
      isChanged={amountOf(typed) !== limit.maxLoss}
      save={save}
      onConflict={onConflict}
      className={styles.service}
    >
      {problem => (
        <NumberField
          label={t.limit}
          error={problem}
          value={typed}
          min={0}
          allowNegative={false}
          decimalScale={2}
          prefix="$"
          placeholder={placeholder}
          autoComplete="off"
          onChange={value => setTyped(String(value))}
        />
      )}
    </ServiceAmountsForm>
  )
}
