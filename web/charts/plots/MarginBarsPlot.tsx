import { Bar } from '@visx/shape'
import { axisTicks } from '#web/charts/ticks.ts'
import type { Unit } from '#web/charts/ticks.ts'
import { frameOf } from './Axes.tsx'
import { dayScale } from './day-scale.ts'
import { DayPlot } from './DayPlot.tsx'
import type { DayPlotSize } from './DayPlot.tsx'
import styles from '#web/charts/Charts.module.css'

type MarginBarsPlotProps = DayPlotSize & {
  revenue: readonly number[]
  cost: readonly number[]
  unit: Unit
}

/** Space between two parts of a bar, in px. */
const SEAM_PX = 1

export function MarginBarsPlot({ revenue, cost, unit, ...size }: MarginBarsPlotProps) {
  const { days, widthPx, heightPx } = size
  const all = [...revenue, ...cost]
  const ticks = axisTicks(Math.min(0, ...all), Math.max(0, ...all), unit)
  const frame = frameOf(widthPx, heightPx, ticks)
  const scale = dayScale(days, frame)
  const { y } = frame
  const part = (day: number, from: number, to: number, className: string | undefined) => {
    const [high, low] = [y(Math.max(from, to)), y(Math.min(from, to))]
    const seam = from === 0 || low - high <= SEAM_PX ? 0 : SEAM_PX
    return (
      <Bar
        x={scale.barStart(day)}
        y={high}
        width={scale.barWidth}
        height={low - high - seam}
        className={className}
      />
    )
  }
  return (
    <DayPlot {...size} ticks={ticks} frame={frame} scale={scale}>
      {() => (
        <>
          {days.map((day, index) => {
            const [earned, spent] = [revenue[index]!, cost[index]!]
            const isLoss = earned < spent
            return (
              <g key={day}>
                {part(index, 0, isLoss && earned > 0 ? earned : spent, styles.cost)}
                {isLoss
                  ? part(index, Math.max(0, earned), spent, styles.loss)
                  : part(index, spent, earned, styles.margin)}
              </g>
            )
          })}
        </>
      )}
    </DayPlot>
  )
}
