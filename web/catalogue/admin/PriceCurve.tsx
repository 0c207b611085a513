import type { PriceRange } from '#contract/catalogue.ts'
import { PriceSteps } from '#web/charts/PriceSteps.tsx'
import { priceSteps } from './price-margin.ts'
import { texts } from './texts.ts'
import { useServiceCosts } from './use-costs.ts'

const CHART_PX = 160

type PriceCurveProps = {
  serviceUid: string
  ranges: readonly PriceRange[]
  maxWeight: number
}

/** The edited prices beside what the carrier charges, where its cost is known at more than one weight. */
export function PriceCurve({ serviceUid, ranges, maxWeight }: PriceCurveProps) {
  const { costs } = useServiceCosts(serviceUid)
  const known = costs.filter(({ pounds }) => pounds <= maxWeight)
  if (known.length < 2) return null
  return (
    <PriceSteps
      name={texts.margin.chart}
      caption={texts.margin.chart}
      maxWeight={maxWeight}
      steps={priceSteps(ranges, maxWeight)}
      costs={known}
      heightPx={CHART_PX}
    />
  )
}
