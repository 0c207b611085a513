/** Signature and Saturday delivery: with their price where the chosen service sells them, else with the reason. */
import { useId } from 'react'
import type { OptionOffer } from '#contract/label-options.ts'
import { usdFromDollars } from '#contract/money.ts'
import type { ServiceOption } from '#contract/price-options.ts'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { CheckField } from '#web/ui/Field.tsx'
import { leavesOut, orderedOptions } from './label-options.ts'
import type { TickedOptions } from './label-options.ts'
import { texts } from './texts.ts'
import styles from './Label.module.css'

type OptionFieldsProps = {
  ticked: TickedOptions
  onTick: (ticked: TickedOptions) => void
  /** The chosen one; undefined before the choice, and while its prices are loading. */
  service: ServiceOption | undefined
  /** All, to name another one. */
  services: readonly ServiceOption[]
}

export function OptionFields({ ticked, onTick, service, services }: OptionFieldsProps) {
  const { signature, adult, saturday } = service ?? {}
  const isAdult = orderedOptions(ticked, service).signature === 'adult'
  const sellsAdult = adult !== undefined && adult.price !== null
  const isUnsold = {
    signature: signature?.price === null && !sellsAdult,
    saturday: saturday?.price === null,
  }
  // The same reason for both is said once.
  const sellsNeither = isUnsold.signature && isUnsold.saturday
  const whyId = useId()
  const why = sellsNeither ? { 'aria-describedby': whyId } : {}
  return (
    <fieldset className={styles.options}>
      <legend className="visually-hidden">{texts.options}</legend>
      <div className={styles.tick} data-unsold={isUnsold.signature || undefined}>
        <CheckField
          label={texts.signature}
          {...why}
          description={
            service && !isAdult && !sellsNeither && offerText(service, signature!, sellsAdult)
          }
          checked={ticked.signature}
          onChange={event => onTick({ ...ticked, signature: event.currentTarget.checked })}
        />
        {ticked.signature && sellsAdult && (
          <CheckField
            label={texts.adult}
            description={
              isAdult || signature!.price === null
                ? priceText(adult.price!)
                : texts.insteadPrice(usdFromDollars(adult.price!))
            }
            checked={ticked.adult}
            onChange={event => onTick({ ...ticked, adult: event.currentTarget.checked })}
          />
        )}
      </div>
      <div className={styles.tick} data-unsold={isUnsold.saturday || undefined}>
        <CheckField
          label={texts.saturday}
          {...why}
          description={service && !sellsNeither && offerText(service, saturday!)}
          checked={ticked.saturday}
          onChange={event => onTick({ ...ticked, saturday: event.currentTarget.checked })}
        />
      </div>
      {service && sellsNeither && (
        <p id={whyId} className={styles.unsold}>
          {texts.notWith(service.name)}
        </p>
      )}
      {service && <LeftOut ticked={ticked} service={service} services={services} />}
    </fieldset>
  )
}

/** What is ticked and not sold, and a service that is sold with it. */
function LeftOut({
  ticked,
  service,
  services,
}: Required<Pick<OptionFieldsProps, 'ticked' | 'service' | 'services'>> & {
  service: ServiceOption
}) {
  const missing = leavesOut(ticked, service)
  const names = [
    ...(missing.signature ? [texts.aSignature] : []),
    ...(missing.saturday ? [texts.saturdayDelivery] : []),
  ]
  const other = services.find(one => {
    const its = leavesOut(ticked, one)
    return one.price !== null && !its.signature && !its.saturday
  })
  return names.length === 0 ? null : (
    <div className={styles.whole} role="status">
      <Notice tone="yellow">{texts.leftOut(service.name, names, other?.name)}</Notice>
    </div>
  )
}

const priceText = (price: number): string =>
  price === 0 ? texts.freeOption : texts.optionPrice(usdFromDollars(price))

/** '+ $3.70', or that it is not sold; nothing where an adult signature is sold alone. */
function offerText(
  service: ServiceOption,
  { price }: OptionOffer,
  hasOther = false,
): string | undefined {
  if (price !== null) return priceText(price)
  return hasOther ? undefined : texts.notWith(service.name)
}
