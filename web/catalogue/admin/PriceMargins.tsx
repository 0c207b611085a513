/**
 * The edited prices as steps over the weight, with what the carrier charged and the margin of each range;
 * a sentence where there would be one line and one dot.
 */
import type { PriceRange } from '#contract/catalogue.ts'
import { countText } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { poundsText } from '#contract/price-ranges.ts'
import { PriceSteps } from '#web/charts/PriceSteps.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { MarginFigure, MarginSentence, MarginText } from './MarginText.tsx'
import { priceSteps } from './price-margin.ts'
import { texts } from './texts.ts'
import { useServiceCosts } from './use-costs.ts'
import type { ServiceCosts } from './use-costs.ts'
import styles from './Prices.module.css'

const t = texts.margin
const CHART_PX = 160

type PriceMarginsProps = {
  serviceUid: string
  ranges: readonly PriceRange[]
  maxWeight: number
}

export function PriceMargins({ serviceUid, ranges, maxWeight }: PriceMarginsProps) {
  const found = useServiceCosts(serviceUid)
  const steps = priceSteps(ranges, maxWeight)
  const costs = found.costs.filter(({ pounds }) => pounds <= maxWeight)
  const priced = steps.filter(({ price }) => price !== null)
  const caption = [captionOf(found), costs.length === 1 && t.onePound(costs[0]!.pounds)]
    .filter(Boolean)
    .join(' ')
  const hasCurve = priced.length > 1 || costs.length > 1
  return (
    <div className={styles.margins}>
      {hasCurve ? (
        <PriceSteps
          name={t.chart}
          caption={caption}
          maxWeight={maxWeight}
          steps={steps}
          costs={costs}
          heightPx={CHART_PX}
        />
      ) : (
        <p className={styles.sentence}>
          {costs.length > 0 && priced[0] && <MarginSentence step={priced[0]} costs={costs} />}
          {caption}
        </p>
      )}
      {found.state === 'failed' && (
        <LoadErrorNotice onRetry={found.retry}>{t.failed}</LoadErrorNotice>
      )}
      {hasCurve && costs.length > 0 && priced.length > 0 && (
        <dl className={styles.marginList} aria-label={t.ranges}>
          {priced.map(step => (
            <div key={step.from}>
              {/* A single range stands above the chart. */}
              <dt>
                {priced.length > 1
                  ? `${poundsText(step)}, ${usdFromDollars(step.price ?? 0)}`
                  : t.name}
              </dt>
              <dd>
                {priced.length > 1 ? (
                  <MarginText step={step} costs={costs} />
                ) : (
                  <MarginFigure step={step} costs={costs} />
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

function captionOf({ state, labels, areUploaded }: ServiceCosts): string {
  if (state === 'failed') return ''
  if (state === 'loading') return t.loading
  if (labels === 0) return areUploaded ? t.uploaded : t.noSample
  const sample = countText(labels, t.label)
  return areUploaded ? t.sampleAndUploaded(sample) : t.sample(sample)
}
