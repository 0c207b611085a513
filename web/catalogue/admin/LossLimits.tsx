/** How much more than its price a label of each default service may cost the operator. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConfiguredService } from '#contract/catalogue.ts'
import { lossLimits, setLossLimit } from '#contract/loss-limits.ts'
import type { LossLimits as Limits, ServiceLossLimit } from '#contract/loss-limits.ts'
import { usdFromDollars } from '#contract/money.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { ApiError, fieldErrorsOf, messageOf, send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { NumberField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import { texts } from './texts.ts'
import styles from './LossLimits.module.css'

const t = texts.losses

export function LossLimits({ services }: { services: readonly ConfiguredService[] }) {
  const { _id: adminId } = useUser()
  const queries = useQueryClient()
  const queryKey = [...queryKeys.defaultServices(adminId), 'losses']
  const { data, isError, refetch } = useQuery({ queryKey, queryFn: () => send(lossLimits, {}) })
  if (isError && !data)
    return (
      <Card>
        <ErrorLine>{t.failed}</ErrorLine>
        <Button onClick={() => void refetch()}>{texts.tryAgain}</Button>
      </Card>
    )
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
    <Card>
      <p className={styles.about}>{t.about(installation)}</p>
      <div className={styles.list}>
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
      </div>
    </Card>
  )
}

type ServiceLimitProps = {
  name: string
  limit: ServiceLossLimit
  placeholder: string
  onSaved: (service: ServiceLossLimit) => void
  onConflict: () => void
}

const textOf = (limit: number | null): string => (limit === null ? '' : limit.toFixed(2))
const valueOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))

function ServiceLimit({ name, limit, placeholder, onSaved, onConflict }: ServiceLimitProps) {
  const [typed, setTyped] = useState(textOf(limit.maxLoss))
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const isChanged = valueOf(typed) !== limit.maxLoss
  const save = async () => {
    if (!isChanged) return
    setBusy(true)
    setProblem(null)
    try {
      const { service } = await send(setLossLimit, {
        params: { id: limit._id },
        body: { maxLoss: valueOf(typed), seenMaxLoss: limit.maxLoss },
      })
      toastSuccess(t.saved(name))
      onSaved(service)
    } catch (reason) {
      setProblem(Object.values(fieldErrorsOf(reason))[0] ?? messageOf(reason, t.notSaved))
      if (reason instanceof ApiError && reason.status === 409) onConflict()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Form onSubmit={save} className={styles.service} aria-label={t.of(name)}>
      <h3 className={styles.name}>{name}</h3>
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
      <Button type="submit" size="large" busy={busy} disabledReason={isChanged ? null : t.noChange}>
        {t.save}
      </Button>
    </Form>
  )
}
