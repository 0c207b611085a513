import { IconMathFunction } from '@tabler/icons-react'
import { useId, useState } from 'react'
import type { ConfiguredService, PriceRange } from '#contract/catalogue.ts'
import { numberText } from '#contract/format.ts'
import { poundsText, sortPriceRanges } from '#contract/price-ranges.ts'
import { ruleFrom, ruleText } from '#contract/price-rules.ts'
import { PriceSteps } from '#web/charts/PriceSteps.tsx'
import type { PoundCost, PriceStep } from '#web/charts/steps.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { moneyText } from '#web/ui/money-text.ts'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { Money } from '#web/ui/Value.tsx'
import { barsOf, marginWords, priceSteps } from './price-margin.ts'
import { PriceDialog } from './PriceDialog.tsx'
import { PriceParts } from './PriceParts.tsx'
import { RuleDialog } from './RuleDialog.tsx'
import { ServiceHead } from './ServiceHead.tsx'
import { tableWireText } from './table-text.ts'
import { texts } from './texts.ts'
import { SALES_DAYS, useServiceCosts, useServiceSales } from './use-costs.ts'
import type { ServiceActions } from './use-services.ts'
import styles from './Services.module.css'

const t = texts.card

type ServiceCardProps = {
  service: ConfiguredService
  actions: ServiceActions
  /** Beside the carrier's own data, which it does not repeat: adds what the service has sold, for all customers together. */
  withSales?: boolean
}

export function ServiceCard({ service, actions, withSales = false }: ServiceCardProps) {
  const { name, uid, category, maxWeight, status, enabled, prices, table, rule } = service
  const [editing, setEditing] = useState(false)
  const [ruling, setRuling] = useState(false)
  const [switching, setSwitching] = useState(false)
  const id = useId()
  const toggle = async (on: boolean) => {
    setSwitching(true)
    await actions.toggle(service, on)
    setSwitching(false)
  }
  const { costs, state } = useServiceCosts(uid)
  // Without known costs bars say that they are unknown.
  const bars = state === 'ready' && !rule?.live ? barsOf(prices, costs) : null
  const mismatch = limitMismatch(prices, maxWeight)
  return (
    <Card className={styles.card}>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the card is a section already; this only names what is in it */}
      <div role="group" aria-labelledby={id} className={styles.inside}>
        <ServiceHead
          id={id}
          name={name}
          facts={
            <>
              {!withSales && (
                <>
                  <span>{category}</span>
                  <span>{texts.upTo(maxWeight)}</span>
                </>
              )}
              <code className={styles.uid}>{uid}</code>
            </>
          }
          actions={
            actions.owner
              ? [{ text: t.priceRule, icon: IconMathFunction, onClick: () => setRuling(true) }]
              : []
          }
          onRename={newName => actions.rename(service, newName)}
        />
        {!status && <StatusPill tone="red">{t.vanished}</StatusPill>}
        {rule && <p className={styles.ruleLine}>{t.rule(ruleText(ruleFrom(rule)))}</p>}
        {rule?.live ? (
          <p className={styles.table}>{t.live}</p>
        ) : table ? (
          // Too many prices for a card.
          <p className={styles.table}>{tableWireText(table)}</p>
        ) : (
          <PriceList uid={uid} maxWeight={maxWeight} prices={prices} hasMargins={bars === null} />
        )}
        {!table
          && prices.length > 0
          && (bars ? <PriceParts {...bars} /> : <StepsPicture service={service} />)}
        {mismatch && <StatusPill tone="yellow">{mismatch}</StatusPill>}
        {withSales && <ServiceSales uid={uid} />}
        <div className={styles.foot}>
          <Switch
            label={t.enabled}
            name={t.enabledFor(name)}
            checked={enabled}
            busy={switching}
            onChange={on => void toggle(on)}
            disabledReason={!enabled && prices.length === 0 && !rule?.live ? t.needsPrices : null}
          />
          <Button size="small" onClick={() => setEditing(true)}>
            {t.editPrices}
          </Button>
        </div>
      </div>
      {ruling && actions.owner && (
        <RuleDialog
          service={service}
          userId={actions.owner.userId}
          onClose={() => setRuling(false)}
        />
      )}
      {editing && (
        <PriceDialog service={service} actions={actions} onClose={() => setEditing(false)} />
      )}
    </Card>
  )
}

const STEPS_PX = 110

function StepsPicture({ service: { uid, maxWeight, prices } }: { service: ConfiguredService }) {
  const { costs } = useServiceCosts(uid)
  return (
    <div className={styles.steps} data-flat={prices.length === 1 || undefined}>
      <PriceSteps
        name={t.steps}
        caption={t.steps}
        maxWeight={maxWeight}
        steps={priceSteps(prices, maxWeight)}
        costs={costs}
        heightPx={STEPS_PX}
      />
    </div>
  )
}

function ServiceSales({ uid }: { uid: string }) {
  const sales = useServiceSales(uid)
  const figures = [
    { name: t.labels, value: sales ? numberText(sales.labels) : t.none },
    { name: t.revenue, value: sales ? moneyText(sales.revenue) : t.none },
    { name: t.margin, value: sales ? moneyText(sales.margin) : t.none },
  ]
  return (
    <div className={styles.sales}>
      <p className={styles.salesTitle}>{t.sales(SALES_DAYS)}</p>
      <ul className={styles.figures}>
        {figures.map(({ name, value }) => (
          <li key={name}>
            <span>{name}</span> <strong>{value}</strong>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Warns if the prices do not match the carrier's weight limit. */
function limitMismatch(prices: readonly PriceRange[], maxWeight: number): string | null {
  const heaviest = Math.max(0, ...prices.map(({ toWeight }) => toWeight))
  if (prices.length === 0 || heaviest === maxWeight) return null
  return heaviest < maxWeight ? t.unpriced(heaviest, maxWeight) : t.overpriced(maxWeight)
}

/** The editor shows all ranges. */
const MAX_LISTED_RANGES = 4

type PriceListProps = {
  uid: string
  maxWeight: number
  prices: readonly PriceRange[]
  /** False where bars below show them. */
  hasMargins: boolean
}

function PriceList({ uid, maxWeight, prices, hasMargins }: PriceListProps) {
  const { costs, state } = useServiceCosts(uid)
  if (prices.length === 0) return <p className={styles.noPrices}>{t.noPrices}</p>
  const sorted = sortPriceRanges(prices)
  const shown = sorted.length > MAX_LISTED_RANGES + 1 ? sorted.slice(0, MAX_LISTED_RANGES) : sorted
  return (
    <>
      <dl className={styles.prices}>
        {shown.map(({ fromWeight, toWeight, price }) => (
          <div key={fromWeight}>
            <dt>{poundsText({ from: fromWeight, to: toWeight })}</dt>
            <dd>
              <Money dollars={price} />
            </dd>
            {hasMargins && costs.length > 0 && (
              <MarginLine
                step={{ from: fromWeight, to: Math.min(toWeight, maxWeight), price }}
                costs={costs}
              />
            )}
          </div>
        ))}
        {shown.length < sorted.length && (
          <div>
            <dt>{t.more(sorted.length - shown.length)}</dt>
          </div>
        )}
      </dl>
      {hasMargins && costs.length === 0 && state === 'ready' && (
        <p className={styles.unknownMargin}>
          <span>{t.margin}</span> <span>{texts.margin.unknown}</span>
        </p>
      )}
    </>
  )
}

/** 'Margin at 2 lb  $0.57 (8.8%)', red below cost. */
function MarginLine({ step, costs }: { step: PriceStep; costs: readonly PoundCost[] }) {
  const words = marginWords(step, costs)
  return (
    words && (
      <>
        <dt className={styles.marginName}>{t.marginAt(words.known)}</dt>
        <dd className={styles.marginFigure} data-tone={words.loss ? 'red' : undefined}>
          {words.figure} {words.share && t.share(words.share)}
        </dd>
      </>
    )
  )
}
