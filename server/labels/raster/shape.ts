// Shapes with straight and curved sides, and the dots that lie in them.
import { common, paintRun, type Area, type Bitmap, type Ink } from './bitmap.ts'

export type Point = { x: number; y: number }

/** A closed line through these points. */
export type Contour = Point[]

/** Runs of dots, three numbers each: the row, and from which column up to which. */
export type Runs = Int16Array

// A quarter of a large letter's bowl is a few dots high: four sides to a curve are as round as dots can be.
const SIDES = 4

/** A side of an outline: a line to `end`, or a curve that leaves for `guide` and arrives at `end` (TrueType's kind of curve). */
export type Side = { guide?: Point; end: Point }

/** The closed lines of an SVG path of the commands m h v l q z, all relative. The first side of each is only its beginning. */
export function sidesOf(path: string): Side[][] {
  const contours: Side[][] = []
  let pen = { x: 0, y: 0 }
  for (const [, command, figures] of path.matchAll(/([mhvlqz])([\d -]*)/g)) {
    const steps = figures!.match(/-?\d+/g)?.map(Number) ?? []
    const start = pen
    const step = (dx: number, dy: number): Point => ({ x: start.x + dx, y: start.y + dy })
    switch (command) {
      case 'm':
        contours.push([{ end: (pen = step(steps[0]!, steps[1]!)) }])
        break
      case 'h':
        contours.at(-1)!.push({ end: (pen = step(steps[0]!, 0)) })
        break
      case 'v':
        contours.at(-1)!.push({ end: (pen = step(0, steps[0]!)) })
        break
      case 'l':
        contours.at(-1)!.push({ end: (pen = step(steps[0]!, steps[1]!)) })
        break
      case 'q':
        contours
          .at(-1)!
          .push({ guide: step(steps[0]!, steps[1]!), end: (pen = step(steps[2]!, steps[3]!)) })
        break
      default:
        pen = contours.at(-1)![0]!.end
    }
  }
  return contours
}

/** The same lines of straight sides alone, every point moved by `place`. */
export function straightened(contours: Side[][], place: (point: Point) => Point): Contour[] {
  return contours.map(sides =>
    sides.flatMap(({ guide, end }, turn) => {
      const to = place(end)
      if (!guide) return [to]
      const from = place(sides[turn - 1]!.end)
      const by = place(guide)
      return Array.from({ length: SIDES }, (_, side) => {
        const [late, early] = [(side + 1) / SIDES, 1 - (side + 1) / SIDES]
        const between = (a: number, b: number, c: number): number =>
          early * early * a + 2 * early * late * b + late * late * c
        return { x: between(from.x, by.x, to.x), y: between(from.y, by.y, to.y) }
      })
    }),
  )
}

/** The dots whose middles lie in the shape. A place that is gone around twice is in it as well, one between opposite turns is not. */
export function runsOf(contours: Contour[]): Runs {
  const rows = new Map<number, { x: number; turn: number }[]>()
  for (const contour of contours) {
    for (const [index, from] of contour.entries())
      cross(rows, from, contour[(index + 1) % contour.length]!)
  }
  const runs: number[] = []
  for (const [y, crossings] of rows) {
    crossings.sort((a, b) => a.x - b.x)
    let turns = 0
    for (const [index, { x, turn }] of crossings.entries()) {
      turns += turn
      const right = crossings[index + 1]?.x
      if (turns === 0 || right === undefined) continue
      const [first, end] = [Math.ceil(x - 0.5), Math.ceil(right - 0.5)]
      if (first < end) runs.push(y, first, end)
    }
  }
  return Int16Array.from(runs)
}

function cross(rows: Map<number, { x: number; turn: number }[]>, from: Point, to: Point): void {
  const [upper, lower] = from.y < to.y ? [from, to] : [to, from]
  for (let y = Math.ceil(upper.y - 0.5); y < lower.y - 0.5; y++) {
    const x = upper.x + ((y + 0.5 - upper.y) * (lower.x - upper.x)) / (lower.y - upper.y)
    const row = rows.get(y)
    if (row) row.push({ x, turn: from === upper ? 1 : -1 })
    else rows.set(y, [{ x, turn: from === upper ? 1 : -1 }])
  }
}

/** Paints runs that are meant for a place further right and further down, as far as they lie in one of the areas. */
export function paintRuns(
  bitmap: Bitmap,
  runs: Runs,
  right: number,
  down: number,
  areas: readonly Area[],
  ink: Ink,
): void {
  for (const area of areas) {
    for (let at = 0; at < runs.length; at += 3) {
      const y = runs[at]! + down
      if (y < area.top || y >= area.bottom) continue
      paintRun(
        bitmap,
        y,
        Math.max(runs[at + 1]! + right, area.left),
        Math.min(runs[at + 2]! + right, area.right),
        ink,
      )
    }
  }
}

/** A line of that thickness from point to point, as a shape. */
export function stroke(from: Point, to: Point, thick: number): Contour {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1
  const [x, y] = [((to.x - from.x) * thick) / length / 2, ((to.y - from.y) * thick) / length / 2]
  return [
    { x: from.x - x - y, y: from.y - y + x },
    { x: to.x + x - y, y: to.y + y + x },
    { x: to.x + x + y, y: to.y + y - x },
    { x: from.x - x + y, y: from.y - y - x },
  ]
}

/** What areas have in common with those of another list. */
export function within(areas: readonly Area[], limits: readonly Area[]): Area[] {
  return areas
    .flatMap(area => limits.map(limit => common(area, limit)))
    .filter(({ left, top, right, bottom }) => left < right && top < bottom)
}
