import { Bar, LinePath } from '@visx/shape'
import { PlotArea } from '#web/charts/PlotArea.tsx'
import type { PointText } from '#web/charts/PlotArea.tsx'
import { axisTicks } from '#web/charts/ticks.ts'
import type { Unit } from '#web/charts/ticks.ts'
import { Axes, frameOf } from './Axes.tsx'
import { dayScale } from './day-scale.ts'
import styles from '#web/charts/Charts.module.css'

export type BarsWithLinePlotProps = {
  name: string
  days: readonly string[]
  /** Drawn behind `narrow`, at its full width. */
  wide: readonly number[]
  narrow: readonly number[]
  line: readonly number[]
  unit: Unit
  textOf: (day: number) => PointText
  widthPx: number
  heightPx: number
}

export function BarsWithLinePlot({
  name,
  days,
  wide,
  narrow,
  line,
  unit,
  textOf,
  widthPx,
  heightPx,
}: BarsWithLinePlotProps) {
  const all = [...wide, ...narrow, ...line]
  const ticks = axisTicks(Math.min(0, ...all), Math.max(0, ...all), unit)
  const frame = frameOf(widthPx, heightPx, ticks)
  const scale = dayScale(days, frame)
  const { y } = frame
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
              {bar(index, wide[index]!, 1, styles.wide)}
              {bar(index, narrow[index]!, NARROW_SHARE, styles.narrow)}
            </g>
          ))}
          <LinePath
            data={[...line]}
            x={(_, index) => scale.centerOf(index)}
            y={value => y(value)}
            className={styles.line}
          />
          {line.map(
            (value, index) =>
              (days.length === 1 || index === active) && (
                <circle
                  key={days[index]}
                  cx={scale.centerOf(index)}
                  cy={y(value)}
                  r="4"
                  className={styles.dot}
                />
              ),
          )}
        </>
      )}
    </PlotArea>
  )
}
const NARROW_SHARE = 0.5
