/** Reads pictures of 4x6 labels at 203 dpi from any renderer. */
import type { Picture } from './read-pdf.ts'

const DOTS_PER_INCH = 203.2

type InchBox = { left: number; top: number; right: number; bottom: number }

/** Where the marks of a specimen stand, in inches from the upper left corner. */
export const SPECIMEN_MARKS: Record<string, InchBox> = {
  'payment area': { left: 0.13, top: 0.13, right: 3.87, bottom: 1.1 },
  'SAMPLE before the service': { left: 0.13, top: 1.15, right: 1.1, bottom: 1.55 },
  'banner above the barcode': { left: 0.13, top: 3.8, right: 3.87, bottom: 4.1 },
  'paper around the label': { left: 0, top: 0, right: 0.1, bottom: 6 },
}

/** Whether both pictures are the same, dot for dot, inside of the box. */
export function isSameInside(
  one: Picture,
  other: Picture,
  { left, top, right, bottom }: InchBox,
): boolean {
  const [a, b] = [one, other].map(picture => crop(picture, { left, top, right, bottom }))
  return a!.data.equals(b!.data)
}

/** A part of a picture. */
export function crop({ width, data }: Picture, { left, top, right, bottom }: InchBox): Picture {
  const [x0, y0, x1, y1] = [left, top, right, bottom].map(inches =>
    Math.round(inches * DOTS_PER_INCH),
  ) as [number, number, number, number]
  const rows = Array.from({ length: y1 - y0 }, (_, row) =>
    data.subarray(((y0 + row) * width + x0) * 4, ((y0 + row) * width + x1) * 4),
  )
  return { width: x1 - x0, height: y1 - y0, data: Buffer.concat(rows) }
}

/** A picture turned by a quarter, clockwise. */
function rotateClockwise({ width, height, data }: Picture): Picture {
  const dots = new Uint32Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.length))
  const out = new Uint32Array(dots.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) out[x * height + height - 1 - y] = dots[y * width + x]!
  }
  return { width: height, height: width, data: Buffer.from(out.buffer) }
}

/** The part of a label on which the barcode stands: read in a tenth of the time. */
export function barcodePart(label: Picture): Picture {
  return crop(label, { left: 0, right: 4, top: 4, bottom: 5 })
}

/** The labels of a Letter sheet, upright, the upper one first. */
export function labelsOfSheet(sheet: Picture): [Picture, Picture] {
  const [left, right] = [(8.5 - 6) / 2, (8.5 + 6) / 2]
  const at = (top: number): Picture =>
    rotateClockwise(crop(sheet, { left, right, top, bottom: top + 4 }))
  return [at((5.5 - 4) / 2), at(5.5 + (5.5 - 4) / 2)]
}

/** Runs of dark dots of one row, from the left; `to` is the first dot that is light again. */
export function darkRuns({ width, data }: Picture, y: number): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = []
  for (let x = 0; x < width; x++) {
    if (data[(y * width + x) * 4]! >= 128) continue
    const last = runs.at(-1)
    if (last?.to === x) last.to++
    else runs.push({ from: x, to: x + 1 })
  }
  return runs
}

/** Light dots to the left and to the right of the barcode, in the row of the middle of its bars; frames stand beyond. */
export function quietZones(label: Picture): [left: number, right: number] {
  const runs = darkRuns(label, Math.round((6 - 105.5 / 72) * DOTS_PER_INCH))
  // No frame is farther than 0.2 inches from the edge.
  const frame = Math.round(0.2 * DOTS_PER_INCH)
  const first = runs.findIndex(({ from }) => from > frame)
  const last = runs.findLastIndex(({ to }) => to < label.width - frame)
  return [runs[first]!.from - runs[first - 1]!.to, runs[last + 1]!.from - runs[last]!.to]
}
