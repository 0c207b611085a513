/** How much more than its price a label of each default service may cost the operator. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ConfiguredService } from '#contract/catalogue.ts'
import { lossLimits, setLossLimit } from '#contract/loss-limits.ts'
import type { LossLimits as Limits } from '#contract/loss-limits.ts'
import { usdFromDollars } from '#contract/money.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { ServiceAmounts } from './ServiceAmounts.tsx'
import { texts } from './texts.ts'

const t = texts.losses

export function LossLimits({ services }: { services: readonly ConfiguredService[] }) {
  const { _id: adminId } = useUser()
  const queries = useQueryClient()
  const queryKey = [...queryKeys.defaultServices(adminId), 'losses']
  const { data, isError, refetch } = useQuery({ queryKey, queryFn: () => send(lossLimits, {}) })
  const installation =
    data === undefined || data.installation === null ? null : usdFromDollars(data.installation)
  const placeholder = installation === null ? t.none : t.installation(installation)
  const rows = services.flatMap(({ _id, name }) => {
    const limit = data?.services.find(one => one._id === _id)
    if (!limit) return []
    const field = { key: 'limit' as const, label: t.limit, dollars: limit.maxLoss, placeholder }
    return [{ id: _id, name, fields: [field] }]
  })
  type Amount = { limit: number | null }
  const save = async (id: string, { limit }: Amount, seen: Amount) => {
    const { service } = await send(setLossLimit, {
      params: { id },
      body: { maxLoss: limit, seenMaxLoss: seen.limit },
    })
    queries.setQueryData<Limits>(
      queryKey,
      old => old && { ...old, services: old.services.map(one => (one._id === id ? service : one)) },
    )
  }
  return (
    <ServiceAmounts
      name={t.title}
      about={t.about(installation)}
      failed={isError && !data ? t.failed : null}
      onRetry={() => void refetch()}
      rows={rows}
      save={save}
      onConflict={() => void refetch()}
      texts={t}
    />
  )
}
