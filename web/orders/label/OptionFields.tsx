/** Signature and Saturday delivery: with their price where the chosen service sells them, else with the reason. */
import { usdFromDollars } from '#contract/money.ts'
import type { OptionOffer, ServiceOption } from '#contract/price-options.ts'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { CheckField } from '#web/ui/Field.tsx'
import { leavesOut } from './label-options.ts'
import type { TickedOptions } from './label-options.ts'
import { texts } from './texts.ts'
import styles from './Label.module.css'

type OptionFieldsProps = {
  ticked: TickedOptions
  onTick: (ticked: TickedOptions) => void
  /** The chosen one; undefined before the choice, and while its prices are loading. */
  service: ServiceOption | undefined
}

export function OptionFields({ ticked, onTick, service }: OptionFieldsProps) {
  const missing = service ? leavesOut(ticked, service) : { signature: false, saturday: false }
  const { signature, adult, saturday } = service ?? {}
  const takesSignature = signature?.price !== null || adult?.price !== null
  return (
    <fieldset className={styles.options}>
      <legend className="visually-hidden">{texts.options}</legend>
      <div className={styles.tick}>
        <CheckField
          label={texts.signature}
          description={
            service
            && (takesSignature ? offerText(signature!, adult!) : texts.notWith(service.name))
          }
          checked={ticked.signature}
          onChange={event => onTick({ ...ticked, signature: event.currentTarget.checked })}
        />
        {ticked.signature && adult && adult.price !== null && (
          <CheckField
            label={texts.adult}
            description={offerText(adult)}
            checked={ticked.adult}
            onChange={event => onTick({ ...ticked, adult: event.currentTarget.checked })}
          />
        )}
      </div>
      <div className={styles.tick}>
        <CheckField
          label={texts.saturday}
          description={
            saturday
            && (saturday.price === null ? texts.notWith(service!.name) : offerText(saturday))
          }
          checked={ticked.saturday}
          onChange={event => onTick({ ...ticked, saturday: event.currentTarget.checked })}
        />
      </div>
      {(missing.signature || missing.saturday) && (
        <div className={styles.whole}>
          <Notice tone="yellow">
            {texts.leftOut(
              [
                missing.signature && service!.signature.reason,
                missing.saturday && service!.saturday.reason,
              ].filter(text => typeof text === 'string'),
            )}
          </Notice>
        </div>
      )}
    </fieldset>
  )
}

/** '+ $3.70' of the first that is sold; a free one says so. */
function offerText(...offers: OptionOffer[]): string {
  const price = offers.find(offer => offer.price !== null)?.price ?? 0
  return price === 0 ? texts.freeOption : texts.optionPrice(usdFromDollars(price))
}
