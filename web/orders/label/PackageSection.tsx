import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { flushSync } from 'react-dom'
import type { AvailableService } from '#contract/catalogue.ts'
import { listSkus } from '#contract/skus.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { announce } from '#web/ui/announce.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { CheckField, SelectField } from '#web/ui/Field.tsx'
import { LabelNumberField, LabelTextField } from './fields.tsx'
import { fillFormFromSku, clampWeight, findSku } from './form.ts'
import type { LabelForm } from './form.ts'
import { texts } from './texts.ts'
import type { FieldBinder } from './use-label-order.ts'
import styles from './Label.module.css'

type PackageSectionProps = {
  bind: FieldBinder
  form: LabelForm
  change: (fields: Partial<LabelForm>) => void
  services: { list: AvailableService[] | undefined; failed: boolean; retry: () => void }
  /** Pounds, of the chosen service. */
  maxWeight: number
}

const MAX_SUGGESTED_SKUS = 20

export function PackageSection({ bind, form, change, services, maxWeight }: PackageSectionProps) {
  const suggestionsId = useId()
  const user = useUser()
  const saved = useQuery({
    queryKey: queryKeys.skus(user._id),
    queryFn: () => send(listSkus, { params: { userId: user._id } }),
  })
  const skus = saved.data?.SkuData ?? []
  const known = findSku(skus, form.skuNumber)

  const changeWithinLimit = (fields: Partial<LabelForm>, most: number) => {
    const weight = fields.PackageWeight ?? form.PackageWeight
    const clamped = clampWeight(weight, most)
    if (clamped !== weight) announce(texts.weightReset(most))
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
  const typeSku = (typed: string) => {
    const record = findSku(skus, typed)
    if (!record) return change({ skuNumber: typed })
    announce(texts.skuFilled(record.sku))
    const { PackageLength, PackageWidth, PackageHeight, PackageWeight, PackageDescription } =
      fillFormFromSku(form, record)
    changeWithinLimit(
      {
        skuNumber: typed,
        PackageLength,
        PackageWidth,
        PackageHeight,
        PackageWeight,
        PackageDescription,
      },
      maxWeight,
    )
  }
  const bindHere: FieldBinder = name => {
    const field = bind(name)
    if (name === 'PackageWeight')
      return { ...field, onText: text => changeWithinLimit({ PackageWeight: text }, maxWeight) }
    return name === 'skuNumber' ? { ...field, onText: typeSku } : field
  }
  const { onText: _, value: service, ...serviceField } = bind('ServiceName')

  return (
    <Card title={texts.package}>
      <div className={styles.grid}>
        {services.failed ? (
          <div className={styles.whole}>
            <Notice
              tone="red"
              action={
                <Button size="small" onClick={services.retry}>
                  {texts.tryAgain}
                </Button>
              }
            >
              {texts.servicesFailed}
            </Notice>
          </div>
        ) : (
          <SelectField
            {...serviceField}
            label={texts.service}
            required
            className={styles.whole}
            placeholder={texts.chooseService}
            data={(services.list ?? []).map(({ uid, name }) => ({ value: uid, label: name }))}
            value={service === '' ? null : service}
            onChange={chooseService}
          />
        )}
        {services.list?.length === 0 && (
          <div className={styles.whole}>
            <Notice tone="yellow">{texts.noServices}</Notice>
          </div>
        )}
        <LabelNumberField
          bind={bindHere}
          name="PackageWeight"
          label={texts.weight}
          hint={texts.upTo(maxWeight)}
          className={styles.quarter}
        />
        <LabelNumberField
          bind={bind}
          name="PackageLength"
          label={texts.length}
          className={styles.quarter}
        />
        <LabelNumberField
          bind={bind}
          name="PackageWidth"
          label={texts.width}
          className={styles.quarter}
        />
        <LabelNumberField
          bind={bind}
          name="PackageHeight"
          label={texts.height}
          className={styles.quarter}
        />
        <LabelNumberField
          bind={bind}
          name="quantity"
          label={texts.quantity}
          whole
          hint={texts.quantityHint}
          className={styles.quarter}
        />
        <LabelTextField
          bind={bindHere}
          name="skuNumber"
          label={texts.sku}
          hint={known && texts.skuFilled(known.sku)}
          list={suggestionsId}
          className={styles.quarter}
          autoComplete="off"
        />
        <LabelTextField
          bind={bind}
          name="PackageDescription"
          label={texts.description}
          className={styles.half}
          autoComplete="off"
        />
        <datalist id={suggestionsId}>
          {skus
            .filter(({ sku }) => sku.toLowerCase().includes(form.skuNumber.trim().toLowerCase()))
            .slice(0, MAX_SUGGESTED_SKUS)
            .map(({ _id, sku, description }) => (
              <option key={_id} value={sku}>
                {description}
              </option>
            ))}
        </datalist>
        <fieldset className={styles.options}>
          <legend className="visually-hidden">{texts.notSent}</legend>
          <CheckField label={texts.signature} />
          <CheckField label={texts.saturday} />
          <p className={styles.hint}>{texts.notSent}</p>
        </fieldset>
      </div>
    </Card>
  )
}
