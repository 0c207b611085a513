/** The two axes of a plot: round values at the left, few names below. */
import { AxisBottom, AxisLeft } from '@visx/axis'
import { GridRows } from '@visx/grid'
import { scaleLinear } from '@visx/scale'
import type { AxisTicks } from '#web/charts/ticks.ts'
import { axisWidthPx } from '#web/charts/ticks.ts'
import styles from '#web/charts/Charts.module.css'

/** Space around the drawing, in px. The bottom has the names. */
const TOP = 10
const BOTTOM = 26
const RIGHT = 6

/** Length of the mark between the axis and a name, in px. */
const MARK_PX = 4

/** Where the drawing is, in px, and its vertical scale, which begins at `lowest`. */
export function frameOf(
  widthPx: number,
  heightPx: number,
  ticks: AxisTicks,
  lowest = ticks.values[0]!,
) {
  const left = axisWidthPx(ticks)
  const frame = { left, right: widthPx - RIGHT, top: TOP, bottom: heightPx - BOTTOM }
  const y = scaleLinear<number>({
    domain: [lowest, ticks.values.at(-1)!],
    range: [frame.bottom, frame.top],
  })
  return { ...frame, width: frame.right - left, y }
}
export type Frame = ReturnType<typeof frameOf>

/** `texts` of the names below, with their place in px. */
export type NamePlace = { text: string; x: number }

/** Width of a character of an axis, in px. */
export const LETTER_PX = 6.4

export function Axes({
  frame,
  ticks,
  names,
}: {
  frame: Frame
  ticks: AxisTicks
  names: readonly NamePlace[]
}) {
  const { left, right, bottom, width, y } = frame
  const zero = ticks.values.includes(0) ? 0 : ticks.values[0]!
  const x = scaleLinear<number>({ domain: [left, right], range: [left, right] })
  /** A name at the edge may reach below the values of the axis, and ends with the drawing. */
  const placeOf = (
    at: number,
    text: string,
  ): { x: number; textAnchor: 'start' | 'middle' | 'end' } => {
    const half = (text.length * LETTER_PX) / 2
    if (at < half) return { x: 0, textAnchor: 'start' }
    if (at > right - half) return { x: right, textAnchor: 'end' }
    return { x: at, textAnchor: 'middle' }
  }
  return (
    <>
      <GridRows
        scale={y}
        tickValues={ticks.values}
        left={left}
        width={width}
        className={styles.grid}
        stroke="currentcolor"
      />
      <AxisLeft
        scale={y}
        left={left}
        tickValues={ticks.values}
        hideAxisLine
        hideTicks
        tickComponent={({ x: at, y: height, formattedValue }) => (
          <text x={at} y={height} dy="0.32em" textAnchor="end" className={styles.tick}>
            {formattedValue}
          </text>
        )}
        tickFormat={value => ticks.texts[ticks.values.indexOf(Number(value))]}
      />
      <line x1={left} x2={right} y1={y(zero)} y2={y(zero)} className={styles.zero} />
      <AxisBottom
        scale={x}
        top={bottom}
        tickValues={names.map(name => name.x)}
        hideAxisLine
        tickLength={MARK_PX}
        tickClassName={styles.mark}
        tickFormat={(_, index) => names[index]?.text}
        tickComponent={({ x: at, formattedValue }) => (
          <text {...placeOf(at, formattedValue ?? '')} y={BOTTOM - 6} className={styles.tick}>
            {formattedValue}
          </text>
        )}
      />
    </>
  )
}

/** Distance of the names below, so that they never touch, also where one moves inside, in px. */
export const NAME_PX = 112
