/** The service: a dropdown, and in its frame what this parcel costs with each service. */
import type { AvailableService } from '#contract/catalogue.ts'
import type { ServiceOption } from '#contract/price-options.ts'
import { LoadErrorNotice, Notice } from '#web/ui/ErrorLine.tsx'
import { SelectField } from '#web/ui/Field.tsx'
import type { TickedOptions } from './label-options.ts'
import { limitsDiffer, priceText, serviceFacts, ServicePriceList } from './ServicePriceList.tsx'
import { texts } from './texts.ts'
import styles from './ServiceChoice.module.css'

type ServiceChoiceProps = {
  services: { list: AvailableService[] | undefined; failed: boolean; retry: () => void }
  prices: ReadonlyMap<string, ServiceOption>
  ticked: TickedOptions
  /** Weight and both ZIP codes are in: the services name days. */
  showsArrival: boolean
  chosen: string
  error: string | undefined
  onChoose: (uid: string | null) => void
}

export function ServiceChoice(props: ServiceChoiceProps) {
  const { services, prices, ticked, showsArrival, chosen, error, onChoose } = props
  const { list, failed, retry } = services
  const optionFacts = (uid: string): string => {
    const one = list?.find(other => other.uid === uid)
    const price = prices.get(uid)
    if (!one) return ''
    const facts = { ticked, showsLimit: limitsDiffer(list ?? []) }
    return `${priceText(price, ticked)} · ${serviceFacts(one, price, facts)}`
  }
  if (failed)
    return (
      <div className={styles.failed}>
        <LoadErrorNotice onRetry={retry}>{texts.servicesFailed}</LoadErrorNotice>
      </div>
    )
  return (
    <div className={styles.service}>
      <SelectField
        name="ServiceName"
        label={texts.service}
        error={error}
        required
        wideList
        className={styles.serviceHead}
        placeholder={texts.chooseService}
        data={(list ?? []).map(({ uid, name }) => ({ value: uid, label: name }))}
        renderOption={({ option, checked }) => (
          <ServiceLine
            name={option.label}
            facts={optionFacts(option.value)}
            checked={checked ?? false}
          />
        )}
        value={chosen === '' ? null : chosen}
        onChange={onChoose}
      />
      {list?.length === 0 ? (
        <div className={styles.noServices}>
          <Notice tone="yellow">{texts.noServices}</Notice>
        </div>
      ) : (
        <ServicePriceList
          services={list}
          prices={prices}
          ticked={ticked}
          showsArrival={showsArrival}
          chosen={chosen}
          onChoose={onChoose}
        />
      )}
    </div>
  )
}

/** The accessible name is the name of the service alone; the facts also stand in the list below the field. */
function ServiceLine({ name, facts, checked }: { name: string; facts: string; checked: boolean }) {
  return (
    <span className={styles.option} data-checked={checked || undefined}>
      <span>{name}</span>
      <span className={styles.optionFacts} aria-hidden="true">
        {facts}
      </span>
    </span>
  )
}
