/**
 * A carrier's image as ZPL II at 203 dpi, dot by dot. Other sizes would need scaling, and bars of
 * two and a half dots do not scan reliably.
 */

import { LABEL_DOTS } from './dots.ts'
import { toGrayImage, readPngSize } from './merge/png-gray.ts'
import type { GrayImage } from './merge/png-gray.ts'
import { LABEL_BEGIN, LABEL_END } from './zpl-commands.ts'
import { graphicField, type Bitmap } from './zpl-graphic.ts'

/** A label exists, but not in this format; the message for the seller names the alternatives. */
export class CannotPrintError extends Error {}

// Carriers round 4 x 6 inches at 200 to 203.2 dpi in several ways.
const SHORT_SIDE = { least: 790, most: 820 }
const LONG_SIDE = { least: 1190, most: 1230 }

/**
 * ^XA to ^XZ and a line break; a landscape image is turned upright. Throws CannotPrintError unless
 * it is 4 x 6 inches at 203 dpi, UnreadableFileError if it is broken.
 */
export function pngToZpl(png: Uint8Array): string {
  const size = readPngSize(png)
  const [short, long] = [Math.min(size.width, size.height), Math.max(size.width, size.height)]
  const fits =
    short >= SHORT_SIDE.least
    && short <= SHORT_SIDE.most
    && long >= LONG_SIDE.least
    && long <= LONG_SIDE.most
  if (!fits)
    throw new CannotPrintError(
      `The carrier's picture of this label has ${size.width} x ${size.height} dots, which a 203 dpi printer cannot print sharply enough `
        + 'for its barcode. Please take it as PDF, as Letter or as PNG.',
    )
  const picture = toPortrait(toGrayImage(png))
  const [x, y] = [
    centeredOffset(LABEL_DOTS.width, picture.width),
    centeredOffset(LABEL_DOTS.height, picture.height),
  ]
  return (
    LABEL_BEGIN
    + graphicField(
      Math.max(0, x),
      Math.max(0, y),
      toBitmap(picture, { left: Math.max(0, -x), top: Math.max(0, -y) }),
    )
    + LABEL_END
  )
}

/** Offset of a smaller image; negative for the part of a larger one beyond the edge. */
function centeredOffset(label: number, picture: number): number {
  return Math.trunc((label - picture) / 2)
}

/** A quarter turn to the left, as in the other formats. */
function toPortrait(picture: GrayImage): GrayImage {
  const { width, height, shades } = picture
  if (width < height) return picture
  const turned = new Uint8Array(shades.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) turned[(width - 1 - x) * height + y] = shades[y * width + x]!
  }
  return { width: height, height: width, shades: turned }
}

/** Gray edges of letters become the nearer of black and white. */
function toBitmap(picture: GrayImage, { left, top }: { left: number; top: number }): Bitmap {
  const [width, height] = [
    Math.min(picture.width, LABEL_DOTS.width),
    Math.min(picture.height, LABEL_DOTS.height),
  ]
  const row = Math.ceil(width / 8)
  const bits = new Uint8Array(row * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (picture.shades[(top + y) * picture.width + left + x]! < 128)
        bits[y * row + (x >> 3)]! |= 0x80 >> (x % 8)
    }
  }
  return { width, height, bits }
}
