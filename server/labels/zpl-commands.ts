/**
 * ZPL II commands at 203 dpi. Input in points from the lower left corner, as in the other formats.
 */

import {
  BLEED_DOTS,
  DITHER_ORDER,
  dotRow,
  dots,
  DOTS_PER_POINT,
  LABEL_DOTS,
  MODULE_DOTS,
  outlineBox,
  ruleBox,
  boxToDots,
} from './dots.ts'
import { fitText, textWidth, type FittedText } from './helvetica.ts'
import type { Rule } from './layout.ts'
import type { Box, TextStyle } from './pdf-operators.ts'
import { BARCODE_MODULES, SPECIMEN_ROUTING } from './specimen-barcode.ts'
import { graphicField } from './zpl-graphic.ts'

const fittedWidth = ({ text, size, squeeze }: FittedText): number =>
  (textWidth('bold', text, size) * squeeze) / 100

/** UTF-8 for our own dashes; customer texts are ASCII by then. */
export const LABEL_BEGIN = `^XA^CI28^PW${LABEL_DOTS.width}^LL${LABEL_DOTS.height}^LH0,0^FWN`
export const LABEL_END = '^XZ\n'

/** A comment that is not printed; without caret and tilde. */
export const zplComment = (words: string): string => `^FX${words}^FS`

export function filledBox(box: Box, color: 'B' | 'W' = 'B'): string {
  const { x, y, width, height } = boxToDots(box)
  return `^FO${x},${y}^GB${width},${height},${Math.min(width, height)},${color}^FS`
}

/** Gray as a dot pattern; `share` from 0 to 1. */
export function shadedBox(box: Box, share: number): string {
  const { x, y, width, height } = boxToDots(box)
  const row = Math.ceil(width / 8)
  const bits = Buffer.alloc(row * height)
  for (let line = 0; line < height; line++) {
    const four = DITHER_ORDER[line % 4]!.reduce<number>(
      (sum, turn) => sum * 2 + (turn < share * 16 ? 1 : 0),
      0,
    )
    bits.fill(four * 0x11, line * row, (line + 1) * row)
  }
  return graphicField(x, y, { width, height, bits })
}

export function outlinedBox(thick: number, box: Box): string {
  const t = dots(thick)
  // Printers draw an outline inside its box, the layout centers it on the edge.
  const at = boxToDots(outlineBox(thick, box))
  return `^FO${at.x},${at.y}^GB${at.width},${at.height},${t}^FS`
}

export const ruledLine = (rule: Rule): string => filledBox(ruleBox(rule))

/** A slanted line. Printers measure its thickness horizontally, the layout across the line. */
export function diagonalLine(
  thick: number,
  from: readonly [number, number],
  to: readonly [number, number],
): string {
  const [wide, high] = [to[0] - from[0], to[1] - from[1]]
  const { x, y, width, height } = boxToDots({
    x: Math.min(from[0], to[0]),
    y: Math.min(from[1], to[1]),
    width: Math.abs(wide),
    height: Math.abs(high),
  })
  const across = Math.min(
    12,
    Math.round((thick * DOTS_PER_POINT * Math.hypot(wide, high)) / Math.abs(high)),
  )
  return `^FO${x},${y}^GD${Math.max(3, width)},${Math.max(3, height)},${across},B,${wide * high > 0 ? 'R' : 'L'}^FS`
}

/** `y` is the baseline, `x` the start, center or end. */
export type TextPosition = {
  x: number
  y: number
  align?: 'left' | 'middle' | 'right'
  white?: boolean
}

/**
 * Made smaller, narrower or cut as in the other formats; nothing for empty text. The printer's font
 * is no wider than our bold; the field block also clips.
 */
export function textField(
  { size, maxWidth }: Pick<TextStyle, 'size' | 'maxWidth'>,
  { x, y, align = 'left', white = false }: TextPosition,
  text: string,
  uncutEnd = '',
): string {
  const end = escapeZpl(uncutEnd)
  const clean = escapeZpl(text.slice(0, text.length - uncutEnd.length)) + end
  if (clean.trim() === '') return ''
  // An end that is too long by itself may be cut.
  const kept = fitText('bold', clean, size, maxWidth, end)
  const fitted =
    fittedWidth(kept) <= maxWidth + 0.01 ? kept : fitText('bold', clean, size, maxWidth)
  const high = dots(fitted.size)
  const wide = Math.round((high * fitted.squeeze) / 100)
  const block = dots(maxWidth) + 2 * BLEED_DOTS
  const left =
    align === 'left'
      ? dots(x)
      : align === 'middle'
        ? dots(x) - Math.round(block / 2)
        : dots(x) - block
  const how = align === 'left' ? 'L' : align === 'middle' ? 'C' : 'R'
  return `^FT${left},${dotRow(y)}^A0N,${high},${wide}^FB${block},1,0,${how}${white ? '^FR' : ''}^FD${fitted.text}^FS`
}

/** Fixed text around a center, with margin for printers with wider fonts. */
export function centeredTextField(
  text: string,
  { size, middle, y }: { size: number; middle: number; y: number },
  white = false,
): string {
  const room = textWidth('bold', text.replaceAll('–', '\x96'), size) * 1.06
  return textField({ size, maxWidth: room }, { x: middle, y, align: 'middle', white }, text)
}

/**
 * A scannable GS1-128 of the specimen routing (ZIP 00000) and the tracking number: code set C, with
 * FNC1 before both.
 */
export function trackingBarcode(
  trackingNumber: string,
  { y, height }: { y: number; height: number },
): string {
  const left = Math.round((LABEL_DOTS.width - BARCODE_MODULES * MODULE_DOTS) / 2)
  const high = dots(height)
  return (
    `^FO${left},${dotRow(y) - high}^BY${MODULE_DOTS},3,${high}^BCN,${high},N,N,N,N`
    + `^FD>;>8${SPECIMEN_ROUTING}>8${trackingNumber}^FS`
  )
}

/** Drops what begins a command (caret, tilde) or a line (backslash), and control characters. */
function escapeZpl(text: string): string {
  return text.replace(/[\^~\\\p{Cc}]/gu, '')
}
