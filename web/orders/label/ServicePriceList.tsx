/** What this parcel costs with each service; a press chooses the service. */
import type { AvailableService } from '#contract/catalogue.ts'
import { usdFromDollars } from '#contract/money.ts'
import type { ShipmentPrice } from '#contract/orders.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { texts } from './texts.ts'
import styles from './ServicePriceList.module.css'

/** More would push the form down; the dropdown has all of them. */
const MAX_SHOWN = 6

type ServicePriceListProps = {
  /** Undefined while loading. */
  services: readonly AvailableService[] | undefined
  prices: ReadonlyMap<string, ShipmentPrice>
  chosen: string
  onChoose: (uid: string) => void
}

export function ServicePriceList({ services, prices, chosen, onChoose }: ServicePriceListProps) {
  if (!services) return <ServicePlaceholders />
  return (
    <ul className={styles.list} aria-label={texts.servicePrices}>
      {services.slice(0, MAX_SHOWN).map(service => (
        <li key={service.uid}>
          <button
            type="button"
            className={styles.service}
            aria-pressed={service.uid === chosen}
            onClick={() => onChoose(service.uid)}
          >
            <span className={styles.name}>{service.name}</span>
            <span className={styles.price}>{priceText(prices.get(service.uid))}</span>
            <span className={styles.facts}>{serviceFacts(service)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Most carriers' customers have three: the form does not move when they come. */
const PLACEHOLDERS = [1, 2, 3]

/** Keeps the height of an empty line. */
const BLANK_LINE = '\u00a0'

const ServicePlaceholders = () => (
  <ul className={styles.list} aria-hidden="true">
    {PLACEHOLDERS.map(n => (
      <li key={n}>
        <span className={styles.service} data-waiting>
          <span className={styles.name}>
            <Skeleton width="60%" />
          </span>
          <span className={styles.price}>{BLANK_LINE}</span>
          <span className={styles.facts}>{BLANK_LINE}</span>
        </span>
      </li>
    ))}
  </ul>
)

/** '$9.50', or a dash while it is unknown or where this parcel has none. */
export const priceText = (price: ShipmentPrice | undefined): string =>
  price && 'price' in price ? usdFromDollars(price.price) : '–'

/** 'Up to 70 lb · 2–3 business days' */
export const serviceFacts = ({ maxWeight, deliveryDays }: AvailableService): string =>
  deliveryDays
    ? `${texts.upTo(maxWeight)} · ${texts.days(deliveryDays.from, deliveryDays.to)}`
    : texts.upTo(maxWeight)
