import { Bar, LinePath } from '@visx/shape'
import { spansOf } from '#web/charts/days.ts'
import { axisTicks } from '#web/charts/ticks.ts'
import type { Unit } from '#web/charts/ticks.ts'
import { frameOf } from './Axes.tsx'
import { dayScale } from './day-scale.ts'
import { DayPlot } from './DayPlot.tsx'
import type { DayPlotSize } from './DayPlot.tsx'
import styles from '#web/charts/Charts.module.css'

type BarsWithLinePlotProps = DayPlotSize & {
  /** Drawn behind `narrow`, at its full width. */
  wide: readonly number[]
  narrow: readonly number[]
  line: readonly number[]
  unit: Unit
}

export function BarsWithLinePlot({ wide, narrow, line, unit, ...size }: BarsWithLinePlotProps) {
  const { days, widthPx, heightPx } = size
  const all = [...wide, ...narrow, ...line]
  const ticks = axisTicks(Math.min(0, ...all), Math.max(0, ...all), unit)
  const frame = frameOf(widthPx, heightPx, ticks)
  const scale = dayScale(days, frame)
  const { y } = frame
  // The line tells nothing of a day without bars, and does not fall to it.
  const spans = spansOf(
    days.map((_, index) => wide[index] !== 0 || narrow[index] !== 0 || line[index] !== 0),
  )
  const bar = (day: number, value: number, share: number, className: string | undefined) => (
    <Bar
      x={scale.centerOf(day) - (scale.barWidth * share) / 2}
      y={Math.min(y(value), y(0))}
      width={scale.barWidth * share}
      height={Math.abs(y(value) - y(0))}
      className={className}
    />
  )
  return (
    <DayPlot {...size} ticks={ticks} frame={frame} scale={scale}>
      {active => (
        <>
          {days.map((day, index) => (
            <g key={day}>
              {bar(index, wide[index]!, 1, styles.wide)}
              {bar(index, narrow[index]!, NARROW_SHARE, styles.narrow)}
            </g>
          ))}
          {spans.map(({ from, to }) => (
            <LinePath
              key={from}
              data={line.slice(from, to + 1)}
              x={(_, index) => scale.centerOf(from + index)}
              y={value => y(value)}
              className={styles.line}
            />
          ))}
          {line.map(
            (value, index) =>
              (spans.some(({ from, to }) => from === to && from === index) || index === active) && (
                <circle
                  key={days[index]}
                  cx={scale.centerOf(index)}
                  cy={y(value)}
                  r={index === active ? 4 : 3}
                  className={styles.dot}
                />
              ),
          )}
        </>
      )}
    </DayPlot>
  )
}
const NARROW_SHARE = 0.5
