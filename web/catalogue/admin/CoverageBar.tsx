/** Which pounds have a price: a bar from 1 to the maximum, and sentences. */
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
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
  const Mark = valid ? IconCheck : IconAlertTriangle
  return (
    <div className={styles.coverage}>
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
        <div>
          {scaleMarks(maxWeight).map(pounds => (
            <span
              key={pounds}
              style={{ insetInlineStart: `${((pounds - 1) / Math.max(1, maxWeight - 1)) * 100}%` }}
            >
              {pounds === maxWeight ? t.pounds(pounds) : pounds}
            </span>
          ))}
        </div>
      </div>
      <div role="status" className={styles.coverageText} data-tone={valid ? 'green' : 'red'}>
        <Mark aria-hidden="true" />
        <div>
          {coverageSentences(spans, ranges, maxWeight).map(sentence => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      </div>
    </div>
  )
}

const SCALE_STEP = 10

/** 1, each ten pounds and the maximum; tens beside it would touch it. */
const scaleMarks = (maxWeight: number): number[] => {
  const step = SCALE_STEP * Math.ceil(maxWeight / MAX_TENS / SCALE_STEP)
  const tens = Array.from(
    { length: Math.floor(maxWeight / step) },
    (_, index) => (index + 1) * step,
  )
  return [...new Set([1, ...tens.filter(pounds => pounds <= maxWeight - step / 2), maxWeight])]
}
const MAX_TENS = 8

const priceText = (price: number | null): string => (price === null ? '' : usdFromDollars(price))
