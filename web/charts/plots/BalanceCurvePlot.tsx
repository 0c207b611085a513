import { scaleLinear } from '@visx/scale'
import { Area, LinePath } from '@visx/shape'
import { useId } from 'react'
import { forecastOf, nearestPoint, noonTicks } from '#web/charts/curve.ts'
import type { CurvePoint } from '#web/charts/curve.ts'
import { PlotArea } from '#web/charts/PlotArea.tsx'
import type { PointText } from '#web/charts/PlotArea.tsx'
import { FillPatterns } from '#web/charts/Swatch.tsx'
import { axisTicks } from '#web/charts/ticks.ts'
import { dateText } from '#web/ui/date-text.ts'
import { Axes, frameOf, NAME_PX } from './Axes.tsx'
import styles from '#web/charts/Charts.module.css'

type BalanceCurvePlotProps = {
  name: string
  points: readonly CurvePoint[]
  /** Indexes of points with a deposit. */
  deposits: ReadonlySet<number>
  /** Dollars a day that are spent; null for no forecast. */
  perDay: number | null
  textOf: (index: number) => PointText
  widthPx: number
  heightPx: number
}

export function BalanceCurvePlot({
  name,
  points,
  deposits,
  perDay,
  textOf,
  widthPx,
  heightPx,
}: BalanceCurvePlotProps) {
  const id = useId()
  const forecast = forecastOf(points, perDay)
  const tops = points.map(({ balance, held }) => balance + held)
  const lows = points.map(({ balance }) => balance)
  const ticks = axisTicks(Math.min(0, ...lows), Math.max(1, ...tops), 'usd')
  const frame = frameOf(widthPx, heightPx, ticks)
  const { y } = frame
  const [from, now] = [points[0]!.at, points.at(-1)!.at]
  const to = forecast?.at ?? now
  const x = scaleLinear<number>({
    domain: [from, Math.max(from + 1, to)],
    range: [frame.left, frame.right],
  })
  const leastMs = ((to - from) * NAME_PX) / frame.width
  const names = noonTicks(from, to, now, leastMs).map(at => ({
    text: dateText(at),
    x: x(at),
  }))
  const data = [...points]
  return (
    <PlotArea
      name={name}
      widthPx={widthPx}
      heightPx={heightPx}
      count={points.length}
      start={points.length - 1}
      textOf={textOf}
      placeOf={index => ({ x: x(points[index]!.at), y: frame.top })}
      indexAt={at => nearestPoint(points, x.invert(at))}
    >
      {active => (
        <>
          <FillPatterns id={id} />
          <Area
            data={data}
            x={point => x(point.at)}
            y0={y(0)}
            y1={point => y(point.balance)}
            className={styles.area}
          />
          <Axes frame={frame} ticks={ticks} names={names} />
          <Area
            data={data}
            x={point => x(point.at)}
            y0={point => y(point.balance)}
            y1={point => y(point.balance + point.held)}
            fill={`url(#${id}3)`}
          />
          {forecast && (
            <line
              x1={x(forecast.from.at)}
              y1={y(forecast.from.balance)}
              x2={x(forecast.at)}
              y2={y(forecast.balance)}
              className={styles.dashed}
            />
          )}
          {active !== null && (
            <line
              x1={x(points[active]!.at)}
              x2={x(points[active]!.at)}
              y1={frame.top}
              y2={frame.bottom}
              className={styles.cursor}
            />
          )}
          <LinePath
            data={data}
            x={point => x(point.at)}
            y={point => y(point.balance)}
            className={styles.curve}
          />
          {points.map(
            ({ at, balance }, index) =>
              deposits.has(index) && (
                <circle key={at} cx={x(at)} cy={y(balance)} r="4.5" className={styles.dot} />
              ),
          )}
          {active !== null && (
            <circle
              cx={x(points[active]!.at)}
              cy={y(points[active]!.balance)}
              r="3.5"
              className={styles.now}
            />
          )}
        </>
      )}
    </PlotArea>
  )
}
