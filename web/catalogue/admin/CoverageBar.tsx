/** Which pounds have a price: sentences, and a bar from 1 to the maximum unless one price has all of them. */
import type { PriceRange } from '#contract/catalogue.ts'
import { usdFromDollars } from '#contract/money.ts'
import { priceRangesProblem, poundsText, PRICE_RANGES_PROBLEM } from '#contract/price-ranges.ts'
import { weightCoverage, priceAt } from './price-coverage.ts'
import type { WeightSpan } from './price-coverage.ts'
import { texts } from './texts.ts'
import styles from './Prices.module.css'

const t = texts.coverage

/** One sentence per kind of problem, or one that there is none. */
function coverageSentences(
  spans: readonly WeightSpan[],
  ranges: readonly PriceRange[],
  maxWeight: number,
): string[] {
  const poundsOf = (kind: WeightSpan['kind']) =>
    spans
      .filter(span => span.kind === kind)
      .map(poundsText)
      .join(', ')
  const [gap, overlap, beyond] = [poundsOf('gap'), poundsOf('overlap'), poundsOf('beyond')]
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
  const spans = weightCoverage(ranges, maxWeight)
  const valid = priceRangesProblem(ranges, maxWeight) !== PRICE_RANGES_PROBLEM
  const isOnePrice = spans.length === 1 && spans[0]!.kind === 'covered'
  return (
    <div className={styles.coverage}>
      {!isOnePrice && (
        <>
          <div className={styles.bar} aria-hidden="true">
            {spans.map(span => (
              <span
                key={`${span.from}.${span.kind}`}
                className={styles.span}
                data-kind={span.kind}
                style={span.kind === 'beyond' ? undefined : { flexGrow: span.to - span.from + 1 }}
              >
                {span.kind === 'covered' && <span>{priceText(priceAt(ranges, span.from))}</span>}
              </span>
            ))}
          </div>
          <div
            className={styles.scale}

            data-beyond={spans.at(-1)?.kind === 'beyond' || undefined}
            aria-hidden="true"
          >
            <span>{t.pounds(1)}</span>
            <span>{t.pounds(maxWeight)}</span>
          </div>
        </>
      )}
      <div role="status" className={styles.coverageText} data-tone={valid ? 'green' : 'red'}>
        {coverageSentences(spans, ranges, maxWeight).map(sentence => (
          <span key={sentence}>{sentence}</span>
        ))}
      </div>
    </div>
  )
}

const priceText = (price: number | null): string => (price === null ? '' : usdFromDollars(price))
