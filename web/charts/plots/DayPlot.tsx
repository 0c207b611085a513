/** A plot over days: its axes, the day that is read, and the way through the days. */
import type { ReactNode } from 'react'
import { PlotArea } from '#web/charts/PlotArea.tsx'
import type { PointText } from '#web/charts/PlotArea.tsx'
import type { AxisTicks } from '#web/charts/ticks.ts'
import { Axes } from './Axes.tsx'
import type { Frame } from './Axes.tsx'
import type { DayScale } from './day-scale.ts'
import styles from '#web/charts/Charts.module.css'

/** What every plot over days is given; sizes in px. */
export type DayPlotSize = {
  name: string
  days: readonly string[]
  textOf: (day: number) => PointText
  widthPx: number
  heightPx: number
}

type DayPlotProps = DayPlotSize & {
  ticks: AxisTicks
  frame: Frame
  scale: DayScale
  /** The bars; `active` is the day that is read. */
  children: (active: number | null) => ReactNode
}

export function DayPlot({
  name,
  days,
  textOf,
  widthPx,
  heightPx,
  ticks,
  frame,
  scale,
  children,
}: DayPlotProps) {
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
          {children(active)}
        </>
      )}
    </PlotArea>
  )
}
