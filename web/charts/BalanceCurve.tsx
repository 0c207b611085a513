import type { ReactNode } from 'react'
import { usdFromDollars } from '#contract/money.ts'
import { dateTimeText } from '#web/ui/date-text.ts'
import { ChartFigure } from './ChartFigure.tsx'
import type { LegendItem } from './ChartFigure.tsx'
import { forecastOf } from './curve.ts'
import type { CurvePoint } from './curve.ts'
import type { PointText } from './PlotArea.tsx'
import { texts } from './texts.ts'

const loadPlot = () => import('./plots/BalanceCurvePlot.tsx')
const t = texts.curve

type BalanceCurveProps = {
  name: string
  caption: ReactNode
  /** Oldest first; `at` as ISO text, `balance` and `held` in dollars. The last one is now. */
  points: readonly { at: string; balance: number; held: number }[]
  /** `at` is also in `points`. */
  deposits: readonly { at: string; amount: number }[]
  /** Dollars spent a day, for a dashed line to the day on which the balance is empty; null for none. */
  perDay: number | null
  heightPx: number
}

/** A balance over time: deposits are dots, held money is shaded on top. */
export function BalanceCurve(props: BalanceCurveProps) {
  const { name, caption, deposits, perDay, heightPx } = props
  const points: CurvePoint[] = props.points.map(({ at, balance, held }) => ({
    at: new Date(at).getTime(),
    balance,
    held,
  }))
  const amountAt = new Map(deposits.map(({ at, amount }) => [new Date(at).getTime(), amount]))
  const someHeld = points.some(({ held }) => held > 0)
  const textOf = (index: number): PointText => {
    const { at, balance, held } = points[index]!
    const amount = amountAt.get(at)
    return {
      title: dateTimeText(at),
      rows: [
        { name: t.balance, value: usdFromDollars(balance), mark: 'curve' },
        ...(held > 0 ? [{ name: t.held, value: usdFromDollars(held), mark: 3 as const }] : []),
        ...(amount === undefined
          ? []
          : [{ name: t.deposit, value: usdFromDollars(amount), mark: 'dot' as const }]),
      ],
    }
  }
  const legend: LegendItem[] = [
    { name: t.balance, mark: 'curve' },
    ...(deposits.length > 0 ? [{ name: t.deposit, mark: 'dot' as const }] : []),
    ...(someHeld ? [{ name: t.held, mark: 3 as const }] : []),
    ...(forecastOf(points, perDay) ? [{ name: t.forecast, mark: 'dashed' as const }] : []),
  ]
  const rows = points
    .map(({ at, balance, held }) => {
      const amount = amountAt.get(at)
      return [
        dateTimeText(at),
        usdFromDollars(balance),
        usdFromDollars(held),
        amount === undefined ? texts.none : usdFromDollars(amount),
      ]
    })
    .toReversed()
  return (
    <ChartFigure
      name={name}
      caption={caption}
      legend={legend}
      table={{ head: [t.at, t.balance, t.held, t.deposit], rows }}
      heightPx={heightPx}
      load={loadPlot}
    >
      {({ BalanceCurvePlot }, widthPx) => (
        <BalanceCurvePlot
          name={name}
          points={points}
          deposits={new Set(points.flatMap(({ at }, index) => (amountAt.has(at) ? [index] : [])))}
          perDay={perDay}
          textOf={textOf}
          widthPx={widthPx}
          heightPx={heightPx}
        />
      )}
    </ChartFigure>
  )
}
