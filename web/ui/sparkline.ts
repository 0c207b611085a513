/** Geometry of a sparkline, in px. Pure. */

export const SPARK_WIDTH = 88
export const SPARK_HEIGHT = 28
/** Between two bars. */
const GAP = 2
/** A day without anything is still a day. */
const LEAST = 1

type SparkBar = { x: number; y: number; width: number; height: number }

const roundToTenth = (px: number): number => Math.round(px * 10) / 10

/** A bar per value. The baseline is zero; a negative value hangs below it. */
export function sparklineBars(values: readonly number[]): SparkBar[] {
  const low = Math.min(0, ...values)
  const span = Math.max(0, ...values) - low || 1
  const step = (SPARK_WIDTH + GAP) / values.length
  const yOf = (value: number) => SPARK_HEIGHT - ((value - low) / span) * SPARK_HEIGHT
  return values.map((value, i) => {
    const height = Math.max(LEAST, Math.abs(yOf(value) - yOf(0)))
    return {
      x: roundToTenth(i * step),
      y: roundToTenth(value < 0 ? yOf(0) : yOf(0) - height),
      width: roundToTenth(step - GAP),
      height: roundToTenth(height),
    }
  })
}
