/** Geometry of a sparkline, in px. Pure. */

export const SPARK_WIDTH = 88
export const SPARK_HEIGHT = 28
/** Room for the dot at the end. */
const MARGIN = 3

const roundToTenth = (px: number): number => Math.round(px * 10) / 10

/** The baseline is zero, or the lowest value if negative. Without values, `end` is null. */
export function sparklinePoints(values: readonly number[]): {
  points: string
  end: { x: number; y: number } | null
} {
  const low = Math.min(0, ...values)
  const span = Math.max(0, ...values) - low || 1
  const step = (SPARK_WIDTH - 2 * MARGIN) / Math.max(1, values.length - 1)
  const places = values.map((value, i) => ({
    x: roundToTenth(MARGIN + i * step),
    y: roundToTenth(SPARK_HEIGHT - MARGIN - ((value - low) / span) * (SPARK_HEIGHT - 2 * MARGIN)),
  }))
  return { points: places.map(({ x, y }) => `${x},${y}`).join(' '), end: places.at(-1) ?? null }
}
