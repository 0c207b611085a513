/** Reads a PNG of a label with independent libraries: a canvas draws it, a barcode reader reads what was drawn. For tests. */
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { PAGE } from '#server/labels/layout.ts'
import type { Box } from '#server/labels/pdf-operators.ts'
import { readBarcodesOf, type Barcode, type Picture } from './read-pdf.ts'

/** `chunks` are the parts of the file by their names, `isBlack` is asked for a dot from the upper left corner. */
export type ParsedPng = {
  width: number
  height: number
  chunks: Map<string, Buffer>
  picture: Picture
  isBlack(x: number, y: number): boolean
  barcode(): Promise<Barcode | null>
}

export async function readPng(bytes: Buffer): Promise<ParsedPng> {
  const image = await loadImage(bytes)
  const canvas = createCanvas(image.width, image.height)
  const paint = canvas.getContext('2d')
  paint.drawImage(image, 0, 0)
  const { width, height, data } = paint.getImageData(0, 0, canvas.width, canvas.height)
  const picture = {
    width,
    height,
    data: Buffer.from(data.buffer, data.byteOffset, data.byteLength),
  }
  return {
    width,
    height,
    picture,
    chunks: chunksOf(bytes),
    isBlack: (x, y) => data[(y * width + x) * 4]! === 0,
    barcode: async () => (await readBarcodesOf(picture))[0] ?? null,
  }
}

function chunksOf(bytes: Buffer): Map<string, Buffer> {
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    chunks.set(
      bytes.toString('latin1', at + 4, at + 8),
      bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)),
    )
  }
  return chunks
}

/** Where a box of points from the lower left corner of a label lies in dots from the upper left one, a dot more on every side. */
export function dotsAround({ x, y, width, height }: Box): {
  left: number
  top: number
  right: number
  bottom: number
} {
  const dots = 203.2 / 72
  return {
    left: Math.floor(x * dots) - 1,
    top: Math.floor((PAGE.height - y - height) * dots) - 2,
    right: Math.ceil((x + width) * dots) + 1,
    bottom: Math.ceil((PAGE.height - y) * dots) + 1,
  }
}

// Another hand draws the same words from the same places; its letters are not laid on dots, so edges may be two dots apart.
const TOLERANCE_DOTS = 2

/** How many dots of a label and of its PDF, drawn as large, have none of the other drawing anywhere near; `except` in some boxes. */
export function countStrayDots(
  png: ParsedPng,
  { width, data }: Picture,
  except: readonly Box[] = [],
): number {
  const dark = (x: number, y: number, limit: number): boolean => data[(y * width + x) * 4]! < limit
  const left = except.map(dotsAround)
  let count = 0
  for (let y = TOLERANCE_DOTS; y < png.height - TOLERANCE_DOTS; y++) {
    for (let x = TOLERANCE_DOTS; x < png.width - TOLERANCE_DOTS; x++) {
      if (left.some(box => box.left <= x && x < box.right && box.top <= y && y < box.bottom))
        continue
      // What is half dark in the PDF may be either here.
      if (png.isBlack(x, y) && !isNear(x, y, (toX, toY) => dark(toX, toY, 200))) count++
      if (dark(x, y, 80) && !isNear(x, y, png.isBlack)) count++
    }
  }
  return count
}

function isNear(x: number, y: number, is: (x: number, y: number) => boolean): boolean {
  for (let dy = -TOLERANCE_DOTS; dy <= TOLERANCE_DOTS; dy++)
    for (let dx = -TOLERANCE_DOTS; dx <= TOLERANCE_DOTS; dx++) if (is(x + dx, y + dy)) return true
  return false
}
