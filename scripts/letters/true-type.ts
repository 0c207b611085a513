/** Reads the shapes of letters out of a TrueType font: the tables cmap, loca and glyf, as far as plain Latin letters need them. */

type Point = { x: number; y: number; on: boolean }

/** Units of a font in its type size; a font with others is refused. */
export const UNITS = 2048

// Of a part of a composite letter: where it goes stands in words, it has a scale of its own, more parts follow.
const WORDS = 0x01
const SCALED = 0x08 | 0x40 | 0x80
const MORE = 0x20

/**
 * The outline of each character as an SVG path in units of the font, y upwards, relative commands `m h v l q z` in whole numbers.
 * A space has an empty one. Throws for a character that the font lacks, and for what this reader does not know.
 */
export function outlines(font: Buffer, characters: string): Map<string, string> {
  const tables = tablesOf(font)
  const glyphs = characterMap(tables('cmap'))
  const locations = tables('loca')
  if (tables('head').readUInt16BE(18) !== UNITS) throw new Error('The font has other units')
  const long = tables('head').readInt16BE(50) === 1
  const placeOf = (glyph: number): number =>
    long ? locations.readUInt32BE(4 * glyph) : 2 * locations.readUInt16BE(2 * glyph)
  const shapeOf = (glyph: number): Point[][] => {
    const [from, until] = [placeOf(glyph), placeOf(glyph + 1)]
    if (from === until) return []
    const data = tables('glyf').subarray(from, until)
    return data.readInt16BE(0) >= 0 ? simple(data) : composite(data, shapeOf)
  }
  return new Map(
    [...characters].map(character => [character, path(shapeOf(glyphs(character.codePointAt(0)!)))]),
  )
}

function tablesOf(font: Buffer): (name: string) => Buffer {
  return name => {
    for (let entry = 12; entry < 12 + 16 * font.readUInt16BE(4); entry += 16) {
      if (font.toString('latin1', entry, entry + 4) !== name) continue
      const from = font.readUInt32BE(entry + 8)
      return font.subarray(from, from + font.readUInt32BE(entry + 12))
    }
    throw new Error(`The font has no table ${name}`)
  }
}

// Windows' Unicode map in its usual form: runs of characters, most of which lie in the order of their glyphs.
function characterMap(cmap: Buffer): (code: number) => number {
  const entries = Array.from({ length: cmap.readUInt16BE(2) }, (_, turn) => 4 + 8 * turn)
  const entry = entries.find(at => cmap.readUInt16BE(at) === 3 && cmap.readUInt16BE(at + 2) === 1)
  const map = cmap.subarray(entry === undefined ? cmap.length : cmap.readUInt32BE(entry + 4))
  if (map.length === 0 || map.readUInt16BE(0) !== 4)
    throw new Error('The font has no character map of format 4')
  const runs = map.readUInt16BE(6)
  return code => {
    let run = 0
    while (map.readUInt16BE(14 + run) < code) run += 2
    const [first, shift, rangeAt] = [
      map.readUInt16BE(16 + runs + run),
      map.readInt16BE(16 + 2 * runs + run),
      16 + 3 * runs + run,
    ]
    const range = map.readUInt16BE(rangeAt)
    const found =
      code < first ? 0 : range === 0 ? code : map.readUInt16BE(rangeAt + range + 2 * (code - first))
    if (found === 0) throw new Error(`The font has no character ${code}`)
    return (found + shift) & 0xffff
  }
}

function simple(data: Buffer): Point[][] {
  const ends = Array.from({ length: data.readInt16BE(0) }, (_, contour) =>
    data.readUInt16BE(10 + 2 * contour),
  )
  const total = ends.at(-1)! + 1
  let at = 10 + 2 * ends.length
  at += 2 + data.readUInt16BE(at)
  const flags: number[] = []
  while (flags.length < total) {
    const flag = data[at++]!
    for (let left = flag & 8 ? data[at++]! : 0; left >= 0; left--) flags.push(flag)
  }
  // The same coding for x and y, with other bits: a short step with its sign, the same place again, or a long step.
  const coordinates = (short: number, same: number): number[] => {
    let value = 0
    return flags.map(flag => {
      if (flag & short) value += flag & same ? data[at++]! : -data[at++]!
      else if (!(flag & same)) {
        value += data.readInt16BE(at)
        at += 2
      }
      return value
    })
  }
  const xs = coordinates(2, 16)
  const ys = coordinates(4, 32)
  const points = flags.map((flag, turn) => ({ x: xs[turn]!, y: ys[turn]!, on: (flag & 1) === 1 }))
  return ends.map((end, contour) =>
    points.slice(contour === 0 ? 0 : ends[contour - 1]! + 1, end + 1),
  )
}

function composite(data: Buffer, shapeOf: (glyph: number) => Point[][]): Point[][] {
  const contours: Point[][] = []
  for (let at = 10, more = true; more;) {
    const flags = data.readUInt16BE(at)
    if (flags & SCALED)
      throw new Error('The font scales a part of a letter, which is not known here')
    const [dx, dy] =
      flags & WORDS
        ? [data.readInt16BE(at + 4), data.readInt16BE(at + 6)]
        : [data.readInt8(at + 4), data.readInt8(at + 5)]
    contours.push(
      ...shapeOf(data.readUInt16BE(at + 2)).map(contour =>
        contour.map(({ x, y, on }) => ({ x: x + dx, y: y + dy, on })),
      ),
    )
    at += flags & WORDS ? 8 : 6
    more = (flags & MORE) !== 0
  }
  return contours
}

// Between two guides there is a point on the line, which the font leaves out.
function path(contours: Point[][]): string {
  let drawn = ''
  let pen = { x: 0, y: 0 }
  const to = ({ x, y }: { x: number; y: number }): string =>
    `${signed(x - pen.x)}${signed(y - pen.y)}`
  const line = (end: Point): string =>
    end.y === pen.y ? `h${end.x - pen.x}` : end.x === pen.x ? `v${end.y - pen.y}` : `l${to(end)}`
  const signed = (value: number): string => (value < 0 ? `${value}` : ` ${value}`)
  for (const contour of contours) {
    const first = contour.findIndex(({ on }) => on)
    if (first < 0) throw new Error('The font has a contour of guides only, which is not known here')
    const points = [...contour.slice(first), ...contour.slice(0, first + 1)]
    drawn += `m${to(points[0]!)}`
    pen = points[0]!
    for (const [turn, point] of points.entries()) {
      const before = points[turn - 1]
      const next = points[turn + 1]
      if (point.on) {
        if (before?.on && next) drawn += line(point)
        if (!before || before.on) pen = point
        continue
      }
      const end = next!.on
        ? next!
        : { x: Math.round((point.x + next!.x) / 2), y: Math.round((point.y + next!.y) / 2) }
      drawn += `q${to(point)}${to(end)}`
      pen = end
    }
    drawn += 'z'
    pen = points[0]!
  }
  return drawn.replaceAll(/([mlq]) /g, '$1')
}
