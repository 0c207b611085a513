import { Bar } from '@visx/shape'
import { useId } from 'react'
import { dayTotals, highestDays, stackOf } from '#web/charts/series.ts'
import type { Series } from '#web/charts/series.ts'
import { FillPatterns, fillOf } from '#web/charts/Swatch.tsx'
import type { Fill } from '#web/charts/Swatch.tsx'
import { axisTicks, valueText } from '#web/charts/ticks.ts'
import type { Unit } from '#web/charts/ticks.ts'
import { frameOf, LETTER_PX } from './Axes.tsx'
import { dayScale } from './day-scale.ts'
import { DayPlot } from './DayPlot.tsx'
import type { DayPlotSize } from './DayPlot.tsx'
import styles from '#web/charts/Charts.module.css'

type StackedBarsPlotProps = DayPlotSize & {
  series: readonly Series[]
  fillOfSeries: (key: string) => Fill
  /** Amounts below zero, such as refunds; none where null. */
  below: readonly number[] | null
  unit: Unit
  /** Each of `days` is the first of a week. */
  weekly: boolean
}

export function StackedBarsPlot({
  series,
  fillOfSeries,
  below,
  unit,
  weekly,
  ...size
}: StackedBarsPlotProps) {
  const { days, widthPx, heightPx } = size
  const id = useId()
  const totals = dayTotals(series, days.length)
  const lowest = below ? -Math.max(0, ...below) : 0
  const above = axisTicks(0, Math.max(...totals), unit)
  // A little below zero needs no step of the axis of its own.
  const shallow = lowest > -above.values[1]! / 2
  const ticks = shallow ? above : axisTicks(lowest, Math.max(...totals), unit)
  const frame = frameOf(widthPx, heightPx, ticks, shallow ? lowest : undefined)
  const scale = dayScale(days, frame, weekly ? totals : undefined)
  const { y } = frame
  const widthOf = (day: number): number => valueText(totals[day]!, unit).length * LETTER_PX
  // Their values stand above the highest bars, so far from each other that they do not touch.
  const apart = Math.max(0, ...totals.map((_, day) => widthOf(day))) / scale.step + 1
  const peaks = highestDays(totals, apart)
  return (
    <DayPlot {...size} ticks={ticks} frame={frame} scale={scale}>
      {() => (
        <>
          <FillPatterns id={id} />
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
          {peaks.map(day => (
            <text
              key={day}
              x={Math.min(scale.centerOf(day), frame.right - widthOf(day) / 2)}
              y={y(totals[day]!) - PEAK_GAP_PX}
              textAnchor="middle"
              className={styles.peak}
            >
              {valueText(totals[day]!, unit)}
            </text>
          ))}
        </>
      )}
    </DayPlot>
  )
}
/** Between a bar and its value. */
const PEAK_GAP_PX = 4
/** Paper between two parts of a bar. */
const SEAM_PX = 1
