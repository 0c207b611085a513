import { Bar } from '@visx/shape'
import { useId } from 'react'
import { PlotArea } from '#web/charts/PlotArea.tsx'
import type { PointText } from '#web/charts/PlotArea.tsx'
import { dayTotals, stackOf } from '#web/charts/series.ts'
import type { Series } from '#web/charts/series.ts'
import { FillPatterns, fillOf } from '#web/charts/Swatch.tsx'
import type { Fill } from '#web/charts/Swatch.tsx'
import { axisTicks } from '#web/charts/ticks.ts'
import type { Unit } from '#web/charts/ticks.ts'
import { Axes, frameOf } from './Axes.tsx'
import { dayScale } from './day-scale.ts'
import styles from '#web/charts/Charts.module.css'

export type StackedBarsPlotProps = {
  name: string
  days: readonly string[]
  series: readonly Series[]
  fillOfSeries: (key: string) => Fill
  /** Amounts below zero, such as refunds; none where null. */
  below: readonly number[] | null
  unit: Unit
  textOf: (day: number) => PointText
  widthPx: number
  heightPx: number
}

export function StackedBarsPlot({
  name,
  days,
  series,
  fillOfSeries,
  below,
  unit,
  textOf,
  widthPx,
  heightPx,
}: StackedBarsPlotProps) {
  const id = useId()
  const totals = dayTotals(series, days.length)
  const lowest = below ? -Math.max(0, ...below) : 0
  const above = axisTicks(0, Math.max(...totals), unit)
  // A little below zero needs no step of the axis of its own.
  const shallow = lowest > -above.values[1]! / 2
  const ticks = shallow ? above : axisTicks(lowest, Math.max(...totals), unit)
  const frame = frameOf(widthPx, heightPx, ticks, shallow ? lowest : undefined)
  const scale = dayScale(days, frame)
  const { y } = frame
  return (
    <PlotArea
      name={name}
      widthPx={widthPx}
      heightPx={heightPx}
      count={days.length}
      start={days.length - 1}
      textOf={textOf}
      placeOf={day => ({ x: scale.centerOf(day), y: frame.top })}
      indexAt={scale.indexAt}
    >
      {active => (
        <>
          <FillPatterns id={id} />
          {active !== null && (
            <rect
              className={styles.band}
              {...scale.bandOf(active)}
              y={frame.top}
              height={frame.bottom - frame.top}
            />
          )}
          <Axes frame={frame} ticks={ticks} names={scale.names} />
          {days.map((day, index) => (
            <g key={day}>
              {stackOf(series, index).map(({ key, from, to }) => (
                <Bar
                  key={key}
                  x={scale.barStart(index)}
                  y={y(to)}
                  width={scale.barWidth}
                  height={Math.max(1, y(from) - y(to) - (from > 0 ? SEAM_PX : 0))}
                  {...fillOf(fillOfSeries(key), id)}
                />
              ))}
              {below && below[index]! > 0 && (
                <Bar
                  x={scale.barStart(index)}
                  y={y(0)}
                  width={scale.barWidth}
                  height={Math.max(1, y(-below[index]!) - y(0))}
                  className={styles.below}
                />
              )}
            </g>
          ))}
        </>
      )}
    </PlotArea>
  )
}
/** Paper between two parts of a bar. */
const SEAM_PX = 1
