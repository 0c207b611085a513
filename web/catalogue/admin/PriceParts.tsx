import { usdFromDollars } from '#contract/money.ts'
import type { PoundCost } from '#web/charts/steps.ts'
import { Swatch } from '#web/charts/Swatch.tsx'
import { partsOfPrice } from './price-margin.ts'
import type { PriceShares } from './price-margin.ts'
import { texts } from './texts.ts'
import styles from './PriceParts.module.css'

const t = texts.priceParts

type PricePartsProps = {
  price: number
  /** The few weights whose cost is known. */
  costs: readonly PoundCost[]
}

/** What a price that is the same at every weight consists of: a bar of the carrier's cost and the margin, with both in figures. */
export function PriceParts({ price, costs }: PricePartsProps) {
  if (costs.length === 0)
    return (
      <div className={styles.parts}>
        <span className={styles.bar} data-unknown aria-hidden="true" />
        <dl className={styles.figures}>
          <dt>{t.cost}</dt>
          <dd>{t.unknown}</dd>
          <dt>{t.margin}</dt>
          <dd>{t.unknown}</dd>
        </dl>
      </div>
    )
  return costs.map(({ pounds, cost }) => (
    <PartsAt key={pounds} pounds={pounds} shares={partsOfPrice(price, cost)} />
  ))
}

function PartsAt({ pounds, shares }: { pounds: number; shares: PriceShares }) {
  const { cost, margin, share, isLoss } = shares
  const rest = isLoss ? 'loss' : 'margin'
  const amount = usdFromDollars(Math.abs(margin))
  return (
    <div className={styles.parts}>
      <span className={styles.bar} aria-hidden="true">
        <span data-part="cost" style={{ flexGrow: isLoss ? cost + margin : cost }} />
        {margin !== 0 && <span data-part={rest} style={{ flexGrow: Math.abs(margin) }} />}
      </span>
      <dl className={styles.figures}>
        <dt>
          <Swatch mark="cost" />
          {t.costAt(pounds)}
        </dt>
        <dd>{usdFromDollars(cost)}</dd>
        <dt>
          <Swatch mark={rest} />
          {isLoss ? t.loss : t.margin}
        </dt>
        <dd data-tone={isLoss ? 'red' : undefined}>
          {amount} {share && texts.card.share(share)}
        </dd>
      </dl>
    </div>
  )
}
