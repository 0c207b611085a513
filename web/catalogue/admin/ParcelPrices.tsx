import type { PriceRange } from '#contract/catalogue.ts'
import { poundsText } from '#contract/price-ranges.ts'
import { lossSpans } from '#web/charts/steps.ts'
import { LoadErrorNotice, Notice } from '#web/ui/ErrorLine.tsx'
import { Money } from '#web/ui/Value.tsx'
import { costSourceText, parcelPriceRows, priceSteps, informativeRows } from './price-margin.ts'
import { texts } from './texts.ts'
import { useServiceCosts } from './use-costs.ts'
import styles from './Prices.module.css'

const t = texts.parcels

type ParcelPricesProps = {
  serviceUid: string
  /** What is sold now; null while nothing is edited. */
  before: readonly PriceRange[] | null
  ranges: readonly PriceRange[]
  maxWeight: number
}

/**
 * What a few weights pay, cost and leave with the edited ranges; beside it what they pay now. Below it where the costs
 * come from, and which other weights lose money.
 */
export function ParcelPrices({ serviceUid, before, ranges, maxWeight }: ParcelPricesProps) {
  const found = useServiceCosts(serviceUid)
  const costs = found.costs.filter(({ pounds }) => pounds <= maxWeight)
  const losses = lossSpans(priceSteps(ranges, maxWeight), costs)
  const heads = [
    t.weight,
    ...(before ? [t.before, t.after, t.change] : [t.price]),
    t.cost,
    t.margin,
  ]
  return (
    <div className={styles.parcels}>
      <table className={styles.parcelTable}>
        <caption>{t.title}</caption>
        <thead>
          <tr>
            {heads.map(head => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {informativeRows(parcelPriceRows(before ?? ranges, ranges, costs, maxWeight)).map(row => (
            <tr key={row.pounds} data-changed={row.before !== row.price || undefined}>
              <th scope="row">{t.pounds(row.pounds)}</th>
              {before && (
                <td>
                  <Price dollars={row.before} />
                </td>
              )}
              <td>
                <Price dollars={row.price} />
              </td>
              {before && (
                <td>
                  <PriceChange before={row.before} after={row.price} />
                </td>
              )}
              <td>{row.cost === null ? t.unknown : <Money dollars={row.cost} />}</td>
              <td data-tone={row.margin !== null && row.margin < 0 ? 'red' : undefined}>
                {row.margin === null ? t.unknown : <Money dollars={row.margin} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {found.state === 'failed' ? (
        <LoadErrorNotice onRetry={found.retry}>{texts.margin.failed}</LoadErrorNotice>
      ) : (
        <p className={styles.costSource}>{costSourceText(found)}</p>
      )}
      {losses.length > 0 && (
        <Notice tone="yellow">{t.losses(losses.map(poundsText).join(', '))}</Notice>
      )}
    </div>
  )
}

const Price = ({ dollars }: { dollars: number | null }) =>
  dollars === null ? <span>{t.noPrice}</span> : <Money dollars={dollars} />

function PriceChange({ before, after }: { before: number | null; after: number | null }) {
  if (before === after) return <span className={styles.same}>{t.same}</span>
  if (before === null || after === null) return null
  return <Money signed dollars={Math.round((after - before) * 100) / 100} />
}
