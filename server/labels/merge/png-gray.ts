/** The dots of a PNG on white paper, for printers. */
import { parsePng, blendOverWhite, inflateRows } from './png.ts'
import type { Png } from './png.ts'

/** One byte per dot, 0 black to 255 white, row by row from the top. */
export type GrayImage = { width: number; height: number; shades: Uint8Array }

/** Size in dots without decoding. Throws UnreadableFileError unless it is a PNG. */
export function readPngSize(bytes: Uint8Array): { width: number; height: number } {
  const { width, height } = parsePng(bytes)
  return { width, height }
}

/** Every kind of PNG except interlaced ones. Throws UnreadableFileError. */
export function toGrayImage(bytes: Uint8Array): GrayImage {
  const png = parsePng(bytes)
  const { width, height } = png
  const { rows, row } = inflateRows(png)
  const shade = shadeReaderFor(png)
  const shades = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const line = rows.subarray(y * row, (y + 1) * row)
    for (let x = 0; x < width; x++) shades[y * width + x] = shade(line, x)
  }
  return { width, height, shades }
}

type ShadeAt = (line: Buffer, x: number) => number

function shadeReaderFor({ depth, color, palette, transparency }: Png): ShadeAt {
  switch (color) {
    case 0: {
      const most = 2 ** depth - 1
      const clear = transparency.length >= 2 ? transparency.readUInt16BE(0) : -1
      return (line, x) => {
        const value = sample(line, x, depth)
        return value === clear ? 255 : Math.round((value * 255) / most)
      }
    }
    case 3: {
      const inks = Array.from({ length: palette.length / 3 }, (_, at) => {
        const [red, green, blue] = palette.subarray(at * 3, at * 3 + 3) as unknown as [
          number,
          number,
          number,
        ]
        return blendOverWhite(brightness(red, green, blue), transparency[at] ?? 255)
      })
      return (line, x) => inks[sample(line, x, depth)] ?? 255
    }
    case 2: {
      const clear =
        transparency.length >= 6 ? [0, 2, 4].map(at => transparency.readUInt16BE(at)) : null
      return (line, x) =>
        clear?.every((part, c) => part === sample(line, 3 * x + c, depth))
          ? 255
          : brightness(
              highByte(line, 3 * x, depth),
              highByte(line, 3 * x + 1, depth),
              highByte(line, 3 * x + 2, depth),
            )
    }
    case 4:
      return (line, x) =>
        blendOverWhite(highByte(line, 2 * x, depth), highByte(line, 2 * x + 1, depth))
    default:
      return (line, x) => {
        const seen = brightness(
          highByte(line, 4 * x, depth),
          highByte(line, 4 * x + 1, depth),
          highByte(line, 4 * x + 2, depth),
        )
        return blendOverWhite(seen, highByte(line, 4 * x + 3, depth))
      }
  }
}

/** Perceived brightness (ITU-R BT.601). */
function brightness(red: number, green: number, blue: number): number {
  return Math.round(0.299 * red + 0.587 * green + 0.114 * blue)
}

function sample(line: Buffer, at: number, depth: number): number {
  if (depth === 16) return line.readUInt16BE(at * 2)
  if (depth === 8) return line[at]!
  const bit = at * depth
  return (line[bit >> 3]! >> (8 - depth - (bit % 8))) & (2 ** depth - 1)
}

/** The upper eight bits of an 8 or 16 bit sample. */
function highByte(line: Buffer, at: number, depth: number): number {
  return line[depth === 16 ? at * 2 : at]!
}
