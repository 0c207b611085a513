/** The dots of a PNG as they are seen on white paper, for printers that take dots. */
import { openPng, overWhite, rowsOf } from './png.ts'
import type { Png } from './png.ts'

/** A shade a dot, from 0 for black to 255 for white, row after row from the top. */
export type Grey = { width: number; height: number; shades: Uint8Array }

/** Size in dots of a picture that is otherwise not looked into. Throws BadPdf for what is no PNG that is read here. */
export function pngSize(bytes: Uint8Array): { width: number; height: number } {
  const { width, height } = openPng(bytes)
  return { width, height }
}

/** All kinds of PNG but interlaced ones. Throws BadPdf for one that is broken. */
export function greyOf(bytes: Uint8Array): Grey {
  const png = openPng(bytes)
  const { width, height } = png
  const { rows, row } = rowsOf(png)
  const shade = shadesOf(png)
  const shades = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const line = rows.subarray(y * row, (y + 1) * row)
    for (let x = 0; x < width; x++) shades[y * width + x] = shade(line, x)
  }
  return { width, height, shades }
}

type Shade = (line: Buffer, x: number) => number

function shadesOf({ depth, colour, palette, seeThrough }: Png): Shade {
  switch (colour) {
    case 0: {
      const most = 2 ** depth - 1
      const clear = seeThrough.length >= 2 ? seeThrough.readUInt16BE(0) : -1
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
        return overWhite(brightness(red, green, blue), seeThrough[at] ?? 255)
      })
      return (line, x) => inks[sample(line, x, depth)] ?? 255
    }
    case 2: {
      const clear = seeThrough.length >= 6 ? [0, 2, 4].map(at => seeThrough.readUInt16BE(at)) : null
      return (line, x) =>
        clear?.every((part, c) => part === sample(line, 3 * x + c, depth))
          ? 255
          : brightness(
              high(line, 3 * x, depth),
              high(line, 3 * x + 1, depth),
              high(line, 3 * x + 2, depth),
            )
    }
    case 4:
      return (line, x) => overWhite(high(line, 2 * x, depth), high(line, 2 * x + 1, depth))
    default:
      return (line, x) => {
        const seen = brightness(
          high(line, 4 * x, depth),
          high(line, 4 * x + 1, depth),
          high(line, 4 * x + 2, depth),
        )
        return overWhite(seen, high(line, 4 * x + 3, depth))
      }
  }
}

/** How bright a colour is seen (ITU-R BT.601). */
function brightness(red: number, green: number, blue: number): number {
  return Math.round(0.299 * red + 0.587 * green + 0.114 * blue)
}

/** The value of sample `at` of a row. */
function sample(line: Buffer, at: number, depth: number): number {
  if (depth === 16) return line.readUInt16BE(at * 2)
  if (depth === 8) return line[at]!
  const bit = at * depth
  return (line[bit >> 3]! >> (8 - depth - (bit % 8))) & (2 ** depth - 1)
}

/** The upper eight bits of a sample of eight or sixteen. */
function high(line: Buffer, at: number, depth: number): number {
  return line[depth === 16 ? at * 2 : at]!
}
