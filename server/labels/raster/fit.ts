// Letters on a grid of dots. In a letter of twenty dots a bar is two thick: left to chance, one of an E's three comes out thinner
// than the others, and a round letter sticks out of its line. So bars are laid on whole dots, and what is between them follows.
import type { Point, Side } from './shape.ts'

/** A bar of a letter, from its lower or left side to the other, in units of the font; of no thickness where a letter only ends. */
export type Bar = { low: number; high: number }

type Axis = 'x' | 'y'
type Edge = { at: number; from: number; until: number; isLow: boolean }
type Knot = { at: number; dot: number }

// In units of the font. What is further apart is no bar, shorter flat pieces are corners.
const THICKEST = 420
const SHORTEST = 30
// The lines on which letters stand and end: base, small letters, capitals, ascenders. Round letters go a little beyond.
const LINES = [0, 1082, 1409, 1484]
const BEYOND = 28

/** The bars that lie across an axis, in its order: of an E its three arms along y, its stem along x. */
export function barsOf(contours: Side[][], axis: Axis): Bar[] {
  const edges = contours.flatMap(sides => edgesOf(sides, axis))
  const bars = edges
    .filter(({ isLow }) => isLow)
    .flatMap(low => {
      const across = edges
        .filter(
          high =>
            !high.isLow
            && high.at > low.at
            && high.at - low.at <= THICKEST
            && Math.min(high.until, low.until) > Math.max(high.from, low.from),
        )
        .map(({ at }) => at)
      return across.length > 0 ? [{ low: low.at, high: Math.min(...across) }] : []
    })
  const ends = edges
    .filter(
      ({ at, isLow }) =>
        axis === 'y'
        && lineAt(at) !== undefined
        && !bars.some(({ low, high }) => at === (isLow ? low : high)),
    )
    .map(({ at }) => ({ low: at, high: at }))
  return [...bars, ...ends].toSorted((a, b) => a.low - b.low || a.high - b.high)
}

/** Where a height of the font comes to lie, in dots above the base line, at `scale` dots to a unit. */
export function fitHeights(bars: Bar[], scale: number): (height: number) => number {
  // What is beyond a line shows in large type only.
  const onLine = (place: number, line: number): number =>
    Math.round(line * scale) + Math.round((place - line) * scale)
  return bent(bars, scale, ({ low, high }, thick) => {
    if (lineAt(low) === 0) return onLine(low, 0)
    const line = lineAt(high)
    return line === undefined ? nearest(low, high, thick, scale) : onLine(high, line) - thick
  })
}

/** Where a place across a letter comes to lie, in dots right of where the letter begins. */
export function fitWidths(bars: Bar[], scale: number): (place: number) => number {
  return bent(bars, scale, ({ low, high }, thick) => nearest(low, high, thick, scale))
}

function bent(
  bars: Bar[],
  scale: number,
  lay: (bar: Bar, thick: number) => number,
): (place: number) => number {
  const knots: Knot[] = []
  for (const bar of bars) {
    const thick = bar.low === bar.high ? 0 : Math.max(1, Math.round((bar.high - bar.low) * scale))
    const dot = lay(bar, thick)
    const last = knots.at(-1)
    // Bars that share a place, such as the many of a round letter, have to do with what the first of them was given.
    if (last && (bar.low <= last.at || dot <= last.dot)) continue
    knots.push({ at: bar.low, dot }, { at: bar.high, dot: dot + thick })
  }
  return place => {
    const next = knots.findIndex(({ at }) => at >= place)
    const [above, below] = next < 0 ? [undefined, knots.at(-1)] : [knots[next]!, knots[next - 1]]
    if (above && below)
      return below.dot + ((place - below.at) * (above.dot - below.dot)) / (above.at - below.at)
    const only = above ?? below ?? { at: 0, dot: 0 }
    return only.dot + (place - only.at) * scale
  }
}

const nearest = (low: number, high: number, thick: number, scale: number): number =>
  Math.round(((low + high) * scale) / 2 - thick / 2)
const lineAt = (place: number): number | undefined =>
  LINES.find(line => Math.abs(place - line) <= BEYOND)

// Outlines run clockwise and holes the other way, so the turn of a flat piece tells on which side of it the ink is.
function edgesOf(sides: Side[], axis: Axis): Edge[] {
  const points = [
    ...sides.flatMap(({ guide, end }) => (guide ? [guide, end] : [end])),
    sides[0]!.end,
  ]
  const along = axis === 'y' ? 'x' : 'y'
  return points.slice(1).flatMap((to, turn) => {
    const from: Point = points[turn]!
    const length = to[along] - from[along]
    if (from[axis] !== to[axis] || Math.abs(length) < SHORTEST) return []
    const isLow = axis === 'y' ? length < 0 : length > 0
    return [
      {
        at: to[axis],
        from: Math.min(from[along], to[along]),
        until: Math.max(from[along], to[along]),
        isLow,
      },
    ]
  })
}
