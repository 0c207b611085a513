import { scaleBand } from '@visx/scale'
import { barTicks, dayTicks } from '#web/charts/days.ts'
import { dayText } from '#web/ui/calendar.ts'
import type { Frame, NamePlace } from './Axes.tsx'
import { NAME_PX } from './Axes.tsx'

const MAX_BAR_PX = 40

/**
 * A band a day: its start, its bar and its center, in px; and the names below the axis. `totals`: of
 * bars that are named one by one where they are few.
 */
export function dayScale(days: readonly string[], frame: Frame, totals?: readonly number[]) {
  const scale = scaleBand<string>({
    domain: [...days],
    range: [frame.left, frame.right],
    padding: days.length > 45 ? 0.15 : 0.2,
  })
  const step = scale.step()
  const barWidth = Math.max(1, Math.min(MAX_BAR_PX, scale.bandwidth()))
  const centerOf = (index: number): number => scale(days[index]!)! + scale.bandwidth() / 2
  const leastStep = NAME_PX / step
  const named = totals ? barTicks(days, totals, leastStep) : dayTicks(days, leastStep)
  const names: NamePlace[] = named.map(day => ({
    text: dayText(day),
    x: centerOf(days.indexOf(day)),
  }))
  return {
    names,
    step,
    barWidth,
    centerOf,
    barStart: (index: number): number => centerOf(index) - barWidth / 2,
    bandOf: (index: number) => ({ x: centerOf(index) - step / 2, width: step }),
    indexAt: (x: number): number | null =>
      x < frame.left - step || x > frame.right + step
        ? null
        : Math.max(0, Math.min(days.length - 1, Math.floor((x - frame.left) / step))),
  }
}
export type DayScale = ReturnType<typeof dayScale>
