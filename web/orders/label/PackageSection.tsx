import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { flushSync } from 'react-dom'
import type { AvailableService } from '#contract/catalogue.ts'
import type { ServiceOption } from '#contract/price-options.ts'
import { skusQuery } from '#web/client/queries.ts'
import { useUser } from '#web/client/session.ts'
import { Card } from '#web/ui/Card.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { LabelNumberField, LabelTextField } from './fields.tsx'
import { clampWeight } from './form.ts'
import type { LabelForm } from './form.ts'
import { OptionFields } from './OptionFields.tsx'
import { ServiceChoice } from './ServiceChoice.tsx'
import { texts } from './texts.ts'
import type { FieldBinder } from './use-label-order.ts'
import { isReadyToCompare } from './use-label-price.ts'
import { useSkuFill } from './use-sku-fill.ts'
import { WeightFields } from './WeightFields.tsx'
import styles from './Label.module.css'

type PackageSectionProps = {
  bind: FieldBinder
  form: LabelForm
  change: (fields: Partial<LabelForm>) => void
  services: { list: AvailableService[] | undefined; failed: boolean; retry: () => void }
  prices: ReadonlyMap<string, ServiceOption>
  /** Pounds, of the chosen service. */
  maxWeight: number
}

const MAX_SUGGESTED_SKUS = 20

/** What the weight was before it was set to the limit of a service. */
type WeightReset = { typed: number; service: string; maxWeight: number }

export function PackageSection({
  bind,
  form,
  change,
  services,
  prices,
  maxWeight,
}: PackageSectionProps) {
  const suggestionsId = useId()
  const user = useUser()
  const saved = useQuery(skusQuery(user._id))
  const skus = saved.data?.SkuData
  const [reset, setReset] = useState<WeightReset | null>(null)

  const changeWithinLimit = (fields: Partial<LabelForm>, most: number) => {
    const weight = fields.PackageWeight ?? form.PackageWeight
    const clamped = clampWeight(weight, most)
    const uid = fields.ServiceName ?? form.ServiceName
    const service = services.list?.find(one => one.uid === uid)?.name ?? texts.thisService
    if (clamped !== weight) setReset({ typed: Number(weight), service, maxWeight: most })
    else if (weight !== form.PackageWeight || 'ServiceName' in fields) setReset(null)
    // '70' typed to '701' is clamped to '70' again: without a change React would keep showing
    // '701'.
    if (clamped !== weight && clamped === form.PackageWeight)
      flushSync(() => change({ PackageWeight: weight }))
    change(clamped === weight ? fields : { ...fields, PackageWeight: clamped })
  }
  const chooseService = (uid: string | null) => {
    const service = services.list?.find(one => one.uid === uid)
    if (service) changeWithinLimit({ ServiceName: service.uid }, service.maxWeight)
  }
  const sku = useSkuFill(form, skus, maxWeight, fields => changeWithinLimit(fields, maxWeight))
  const bindHere: FieldBinder = name => {
    const field = bind(name)
    if (name === 'PackageWeight')
      return { ...field, onText: text => changeWithinLimit({ PackageWeight: text }, maxWeight) }
    return field
  }
  const service = form.ServiceName

  return (
    <Card title={texts.package}>
      <div className={styles.grid}>
        <ServiceChoice
          services={services}
          prices={prices}
          ticked={form.ticked}
          showsArrival={isReadyToCompare(form)}
          chosen={service}
          error={bind('ServiceName').error}
          onChoose={chooseService}
        />
        <WeightFields bind={bindHere} maxWeight={maxWeight} />
        <div className={styles.sizes}>
          <LabelNumberField
            bind={bind}
            name="PackageLength"
            label={texts.length}
            className={styles.size}
          />
          <LabelNumberField
            bind={bind}
            name="PackageWidth"
            label={texts.width}
            className={styles.size}
          />
          <LabelNumberField
            bind={bind}
            name="PackageHeight"
            label={texts.height}
            className={styles.size}
          />
        </div>
        {reset && (
          <div className={styles.whole}>
            <Notice tone="yellow">{weightResetText(reset, services.list ?? [])}</Notice>
          </div>
        )}
        <LabelNumberField
          bind={bind}
          name="quantity"
          label={texts.quantity}
          whole
          className={styles.count}
        />
        <LabelTextField
          bind={bind}
          name="skuNumber"
          label={texts.sku}
          hint={sku.hint}
          onFocus={sku.begin}
          onChoose={typed => {
            change({ skuNumber: typed })
            sku.enter(typed)
          }}
          onBlur={sku.leave}
          onKeyDown={event => {
            // What it fills in is seen before the label is bought.
            if (event.key === 'Enter' && sku.enter(form.skuNumber)) event.preventDefault()
          }}
          list={suggestionsId}
          className={styles.count}
          autoComplete="off"
        />
        <LabelTextField
          bind={bind}
          name="PackageDescription"
          label={texts.description}
          className={styles.description}
          autoComplete="off"
        />
        <p className={styles.printed}>{texts.printedOnLabel}</p>
        <datalist id={suggestionsId}>
          {(skus ?? [])
            .filter(({ sku }) => sku.toLowerCase().includes(form.skuNumber.trim().toLowerCase()))
            .slice(0, MAX_SUGGESTED_SKUS)
            .map(({ _id, sku, description }) => (
              <option key={_id} value={sku}>
                {description}
              </option>
            ))}
        </datalist>
        <OptionFields
          ticked={form.ticked}
          onTick={ticked => change({ ticked })}
          service={prices.get(service)}
          services={[...prices.values()]}
        />
      </div>
    </Card>
  )
}

/** Names a service that takes the weight, if there is one. */
function weightResetText(reset: WeightReset, services: readonly AvailableService[]): string {
  const other = services.find(({ maxWeight }) => maxWeight >= reset.typed)
  const rest = other ? texts.takesMore(other.name, other.maxWeight) : texts.tooHeavy
  return `${texts.weightReset(reset.service, reset.maxWeight)} ${rest}`
}
