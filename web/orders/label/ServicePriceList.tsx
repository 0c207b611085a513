/** Below the dropdown: what this parcel costs with each service; a press chooses the service. */
import type { AvailableService } from '#contract/catalogue.ts'
import { usdFromDollars } from '#contract/money.ts'
import type { ServiceOption } from '#contract/price-options.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { bestServices, leavesOut, wholePrice } from './label-options.ts'
import type { TickedOptions } from './label-options.ts'
import { ServiceArrival } from './ServiceArrival.tsx'
import { texts } from './texts.ts'
import styles from './ServicePriceList.module.css'

/** More would push the form down; the dropdown has all of them. */
const MAX_SHOWN = 6

type ServicePriceListProps = {
  /** Undefined while loading. */
  services: readonly AvailableService[] | undefined
  prices: ReadonlyMap<string, ServiceOption>
  ticked: TickedOptions
  /** The days of arrival in place of their number. */
  showsArrival: boolean
  chosen: string
  onChoose: (uid: string) => void
}

const FIRST_CELL_ID = 'first-service'

/** Focuses the first service; does nothing while there is none. */
export const focusServices = (): void => document.getElementById(FIRST_CELL_ID)?.focus()

export function ServicePriceList({
  services,
  prices,
  ticked,
  showsArrival,
  chosen,
  onChoose,
}: ServicePriceListProps) {
  if (!services) return <ServicePlaceholders />
  const best = bestServices([...prices.values()], ticked)
  const showsLimit = limitsDiffer(services)
  return (
    <div className={styles.frame}>
      <ul className={styles.list} aria-label={texts.servicePrices}>
        {services.slice(0, MAX_SHOWN).map((service, index) => {
          const option = prices.get(service.uid)
          const facts = cellFacts(service, option, { ticked, showsLimit })
          return (
            <li key={service.uid}>
              <button
                type="button"
                id={index === 0 ? FIRST_CELL_ID : undefined}
                className={styles.service}
                aria-pressed={service.uid === chosen}
                onClick={() => onChoose(service.uid)}
              >
                <span className={styles.ring} />
                <span className={styles.name}>{service.name}</span>
                <Marks uid={service.uid} best={best} />
                <span className={styles.price}>{priceText(option, ticked)}</span>
                <MoreThan cheapest={prices.get(best.cheapest ?? '')} {...{ option, ticked }} />
                {!option?.reason && (
                  <span className={styles.days}>
                    <Days service={service} showsArrival={showsArrival} />
                  </span>
                )}
                {facts && <span className={styles.facts}>{facts}</span>}
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

type MarksProps = { uid: string; best: ReturnType<typeof bestServices> }

function Marks({ uid, best: { cheapest, fastest } }: MarksProps) {
  const words = [uid === cheapest && texts.cheapest, uid === fastest && texts.fastest].filter(
    word => word !== false,
  )
  if (words.length === 0) return null
  return (
    <span className={styles.marks}>
      {words.map(word => (
        <span key={word} className={styles.mark}>
          {word}
        </span>
      ))}
    </span>
  )
}

type MoreThanProps = {
  cheapest: ServiceOption | undefined
  option: ServiceOption | undefined
  ticked: TickedOptions
}

/** '+$3.00': what the service costs beyond the cheapest one. */
function MoreThan({ cheapest, option, ticked }: MoreThanProps) {
  const lowest = cheapest ? wholePrice(ticked, cheapest) : null
  const price = option ? wholePrice(ticked, option) : null
  if (lowest === null || price === null || price <= lowest) return null
  return (
    <small className={styles.more}>
      {texts.moreThanCheapest(usdFromDollars(Math.round((price - lowest) * 100) / 100))}
    </small>
  )
}

/** 'usually 2–5 business days', with the parcel known 'usually Tue 01-12 to Fri 04-12'. */
function Days({ service, showsArrival }: { service: AvailableService; showsArrival: boolean }) {
  const { deliveryDays } = service
  if (!deliveryDays || !showsArrival) return daysText(service)
  return (
    <>
      {texts.usually} <ServiceArrival days={deliveryDays} />
    </>
  )
}

/** Most carriers' customers have three: the form does not move when they come. */
const PLACEHOLDERS = [1, 2, 3]

/** Keeps the height of an empty line. */
const BLANK_LINE = '\u00a0'

const ServicePlaceholders = () => (
  <div className={styles.frame} aria-hidden="true">
    <ul className={styles.list}>
      {PLACEHOLDERS.map(n => (
        <li key={n}>
          <span className={styles.service} data-waiting>
            <span className={styles.ring} />
            <span className={styles.name}>
              <Skeleton width="11em" />
            </span>
            <span className={styles.price}>{BLANK_LINE}</span>
            <span className={styles.days}>{BLANK_LINE}</span>
          </span>
        </li>
      ))}
    </ul>
  </div>
)

/** '$9.50', or a dash while it is unknown or where this parcel has none. */
export function priceText(option: ServiceOption | undefined, ticked: TickedOptions): string {
  const price = option ? wholePrice(ticked, option) : null
  return price === null ? '–' : usdFromDollars(price)
}

/** One limit for all is said at the weight alone. */
export const limitsDiffer = (services: readonly AvailableService[]): boolean =>
  new Set(services.map(({ maxWeight }) => maxWeight)).size > 1

type FactsShown = { ticked: TickedOptions; showsLimit: boolean }

/** 'Up to 70 lb · 2–3 business days', or why the service does not take this parcel. */
export function serviceFacts(
  service: AvailableService,
  option: ServiceOption | undefined,
  { ticked, showsLimit }: FactsShown,
): string {
  if (option?.reason) return option.reason.text
  return [
    missingText(option, ticked),
    showsLimit && texts.upTo(service.maxWeight),
    daysText(service),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** What is ticked and not sold takes the place of the limit. */
const cellFacts = (
  { maxWeight }: AvailableService,
  option: ServiceOption | undefined,
  { ticked, showsLimit }: FactsShown,
): string =>
  option?.reason?.text ?? (missingText(option, ticked) || (showsLimit ? texts.upTo(maxWeight) : ''))

/** 'No signature · No Saturday option'; empty where nothing that is ticked is left out. */
function missingText(option: ServiceOption | undefined, ticked: TickedOptions): string {
  const missing = option ? leavesOut(ticked, option) : { signature: false, saturday: false }
  return [missing.signature && texts.withoutSignature, missing.saturday && texts.withoutSaturday]
    .filter(Boolean)
    .join(' · ')
}

/** Empty where the service names no days. */
const daysText = ({ deliveryDays }: AvailableService): string =>
  deliveryDays ? texts.days(deliveryDays.from, deliveryDays.to) : ''
