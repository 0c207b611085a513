/** What signature and Saturday delivery cost with each default service. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConfiguredService } from '#contract/catalogue.ts'
import { OPTION_KINDS } from '#contract/label-options.ts'
import type { OptionKind } from '#contract/label-options.ts'
import { optionPrices, setOptionPrices } from '#contract/price-options.ts'
import type { ServiceOptionPrices } from '#contract/price-options.ts'
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
  if (isError && !data)
    return (
      <Card>
        <ErrorLine>{t.failed}</ErrorLine>
        <Button onClick={() => void refetch()}>{texts.tryAgain}</Button>
      </Card>
    )
  const saved = (service: ServiceOptionPrices) =>
    queries.setQueryData<ServiceOptionPrices[]>(queryKey, list =>
      list?.map(old => (old._id === service._id ? service : old)),
    )
  return (
    <Card>
      <p className={styles.about}>{t.about}</p>
      <div className={styles.list}>
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
      </div>
    </Card>
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

const textOf = (price: number | null): string => (price === null ? '' : price.toFixed(2))
const valueOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))

function ServiceOptions({ name, prices, onSaved, onConflict }: ServiceOptionsProps) {
  const before: TypedPrices = {
    signature: textOf(prices.signature.price),
    adult: textOf(prices.adult.price),
    saturday: textOf(prices.saturday.price),
  }
  const [typed, setTyped] = useState(before)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const isChanged = OPTION_KINDS.some(kind => valueOf(typed[kind]) !== valueOf(before[kind]))
  const save = async () => {
    if (!isChanged) return
    setBusy(true)
    setProblem(null)
    try {
      const { service } = await send(setOptionPrices, {
        params: { id: prices._id },
        body: { prices: inDollars(typed), seenPrices: inDollars(before) },
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
      <Button type="submit" size="large" busy={busy} disabledReason={isChanged ? null : t.noChange}>
        {t.save}
      </Button>
      {problem && (
        <div className={styles.problem}>
          <ErrorLine>{problem}</ErrorLine>
        </div>
      )}
    </Form>
  )
}

const inDollars = (typed: TypedPrices): Record<OptionKind, number | null> => ({
  signature: valueOf(typed.signature),
  adult: valueOf(typed.adult),
  saturday: valueOf(typed.saturday),
})
