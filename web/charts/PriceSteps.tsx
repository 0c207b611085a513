import type { ReactNode } from 'react'
import { usdFromDollars } from '#contract/money.ts'
import { signedMoneyText } from '#web/ui/money-text.ts'
import { ChartFigure } from './ChartFigure.tsx'
import type { LegendItem } from './ChartFigure.tsx'
import type { PointText } from './PlotArea.tsx'
import { stepAt } from './steps.ts'
import type { PoundCost, PriceStep } from './steps.ts'
import { texts } from './texts.ts'

const loadPlot = () => import('./plots/PriceStepsPlot.tsx')
const t = texts.steps

type PriceStepsProps = {
  name: string
  caption: ReactNode
  /** Heaviest parcel in whole pounds. */
  maxWeight: number
  steps: readonly PriceStep[]
  /** Of the pounds whose cost is known, lightest first. */
  costs: readonly PoundCost[]
  heightPx: number
}

/** Prices by weight as steps, with the carrier's cost as a line; pounds below cost are red. */
/** Costs of pounds side by side are a line, and of one pound alone a dot. */
const drawsLine = (costs: readonly PoundCost[]): boolean => {
  const known = new Set(costs.map(({ pounds }) => pounds))
  return costs.some(({ pounds }) => known.has(pounds + 1))
}

export function PriceSteps({ name, caption, maxWeight, steps, costs, heightPx }: PriceStepsProps) {
  const costOf = new Map(costs.map(({ pounds, cost }) => [pounds, cost]))
  const valuesOf = (pounds: number) => {
    const [price, cost] = [stepAt(steps, pounds), costOf.get(pounds)]
    return {
      price: price === null ? t.noPrice : usdFromDollars(price),
      cost: cost === undefined ? t.unknown : usdFromDollars(cost),
      margin:
        price === null || cost === undefined
          ? t.unknown
          : signedMoneyText(Math.round((price - cost) * 100) / 100),
    }
  }
  const textOf = (index: number): PointText => {
    const { price, cost, margin } = valuesOf(index + 1)
    return {
      title: t.pounds(index + 1),
      rows: [
        { name: t.price, value: price, mark: 'curve' },
        ...(costs.length > 0
          ? [
              { name: t.cost, value: cost, mark: 'thin' as const },
              { name: t.margin, value: margin },
            ]
          : []),
      ],
    }
  }
  const legend: LegendItem[] =
    costs.length > 0
      ? [
          { name: t.price, mark: 'curve' },
          { name: t.cost, mark: drawsLine(costs) ? 'thin' : 'costDot' },
        ]
      : []
  const rows = Array.from({ length: maxWeight }, (_, index) => {
    const { price, cost, margin } = valuesOf(index + 1)
    return [t.pounds(index + 1), price, ...(costs.length > 0 ? [cost, margin] : [])]
  })
  return (
    <ChartFigure
      name={name}
      caption={caption}
      legend={legend}
      table={{ head: [t.weight, t.price, ...(costs.length > 0 ? [t.cost, t.margin] : [])], rows }}
      heightPx={heightPx}
      load={loadPlot}
    >
      {({ PriceStepsPlot }, widthPx) => (
        <PriceStepsPlot
          name={name}
          maxWeight={maxWeight}
          steps={steps}
          costs={costs}
          textOf={textOf}
          widthPx={widthPx}
          heightPx={heightPx}
        />
      )}
    </ChartFigure>
  )
}
