/** Which pounds have a price, as a bar from 1 to the maximum and in words. */
import type { PriceRange } from '#contract/catalogue.ts'
import { usdFromDollars } from '#contract/money.ts'
import { priceRangesProblem, poundsText, PRICE_RANGES_PROBLEM } from '#contract/price-ranges.ts'
import { weightCoverage, priceAt } from './price-coverage.ts'
import type { WeightSpan } from './price-coverage.ts'
import { texts } from './texts.ts'
import styles from './Prices.module.css'

const t = texts.coverage

/** One sentence for each kind of what is amiss, or that nothing is. */
function coverageSentences(
  stretches: readonly WeightSpan[],
  ranges: readonly PriceRange[],
  maxWeight: number,
): string[] {
  const where = (kind: WeightSpan['kind']) =>
    stretches
      .filter(stretch => stretch.kind === kind)
      .map(poundsText)
      .join(', ')
  const [gap, overlap, beyond] = [where('gap'), where('overlap'), where('beyond')]
  const found = [
    gap && t.gap(gap),
    overlap && t.overlap(overlap),
    beyond && t.beyond(beyond, maxWeight),
  ].filter(Boolean)
  if (found.length > 0) return found
  return [
    priceRangesProblem(ranges, maxWeight) === PRICE_RANGES_PROBLEM ? t.invalid : t.whole(maxWeight),
  ]
}

export function CoverageBar({
  ranges,
  maxWeight,
}: {
  ranges: readonly PriceRange[]
  maxWeight: number
}) {
  const stretches = weightCoverage(ranges, maxWeight)
  const sound = priceRangesProblem(ranges, maxWeight) !== PRICE_RANGES_PROBLEM
  return (
    <div className={styles.coverage}>
      <div className={styles.bar} aria-hidden="true">
        {stretches.map(stretch => (
          <span
            key={`${stretch.from}.${stretch.kind}`}
            className={styles.stretch}
            data-kind={stretch.kind}
            style={
              stretch.kind === 'beyond' ? undefined : { flexGrow: stretch.to - stretch.from + 1 }
            }
          >
            {stretch.kind === 'covered' && <span>{priceText(priceAt(ranges, stretch.from))}</span>}
          </span>
        ))}
      </div>
      <div
        className={styles.scale}
        data-beyond={stretches.at(-1)?.kind === 'beyond' || undefined}
        aria-hidden="true"
      >
        <span>{t.pounds(1)}</span>
        <span>{t.pounds(maxWeight)}</span>
      </div>
      <div role="status" className={styles.coverageText} data-tone={sound ? 'green' : 'red'}>
        {coverageSentences(stretches, ranges, maxWeight).map(sentence => (
          <span key={sentence}>{sentence}</span>
        ))}
      </div>
    </div>
  )
}

const priceText = (price: number | null): string => (price === null ? '' : usdFromDollars(price))
