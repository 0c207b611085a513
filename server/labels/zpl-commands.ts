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
  toDots,
} from './dots.ts'
import { fitText, textWidth, type FittedText } from './helvetica.ts'
import type { Rule } from './layout.ts'
/**
 * Marks on a page as commands of ZPL II, the language of label printers, for 203 dots an inch. Places and sizes are taken in points
 * from the lower left corner, as on every other kind of paper.
 */
import type { Box, TextStyle } from './pdf-operators.ts'
import { BARCODE_MODULES, SPECIMEN_ROUTING } from './specimen-barcode.ts'
import { graphicField } from './zpl-graphic.ts'

const fittedWidth = ({ text, size, squeeze }: FittedText): number =>
  (textWidth('bold', text, size) * squeeze) / 100

/** How a label begins and ends. UTF-8 is for our own dashes; what customers write is ASCII by then. */
export const LABEL_BEGIN = `^XA^CI28^PW${LABEL_DOTS.width}^LL${LABEL_DOTS.height}^LH0,0^FWN`
export const LABEL_END = '^XZ\n'

/** A remark that is not printed; no caret, no tilde. */
export const zplComment = (words: string): string => `^FX${words}^FS`

/** A box that is black, or white again. */
export function filledBox(box: Box, colour: 'B' | 'W' = 'B'): string {
  const { x, y, width, height } = toDots(box)
  return `^FO${x},${y}^GB${width},${height},${Math.min(width, height)},${colour}^FS`
}

/** A box of grey, mixed from dots; `share` of it is black, from 0 to 1. */
export function shadedBox(box: Box, share: number): string {
  const { x, y, width, height } = toDots(box)
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

/** A box as lines around it. */
export function outlinedBox(thick: number, box: Box): string {
  const t = dots(thick)
  // A printer draws the outline inside of its box, the layout means it around the edge.
  const at = toDots(outlineBox(thick, box))
  return `^FO${at.x},${at.y}^GB${at.width},${at.height},${t}^FS`
}

/** A line straight across or straight up. */
export const ruledLine = (rule: Rule): string => filledBox(ruleBox(rule))

/** A line that leans. A printer measures its thickness across the page, we across the line. */
export function diagonalLine(
  thick: number,
  from: readonly [number, number],
  to: readonly [number, number],
): string {
  const [wide, high] = [to[0] - from[0], to[1] - from[1]]
  const { x, y, width, height } = toDots({
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

/** Where a line stands: `y` is its baseline, `x` its beginning, its middle or its end. */
export type TextPosition = {
  x: number
  y: number
  align?: 'left' | 'middle' | 'right'
  white?: boolean
}

/**
 * A line of text, made smaller, narrower or cut as it is on every paper; nothing for an empty one. Printers bring one face of their
 * own, which is no wider than our bold. The block around it is a second guard: what were still too long would stay inside.
 */
export function textField(
  { size, maxWidth }: Pick<TextStyle, 'size' | 'maxWidth'>,
  { x, y, align = 'left', white = false }: TextPosition,
  text: string,
  keep = '',
): string {
  const end = escapeZpl(keep)
  const clean = escapeZpl(text.slice(0, text.length - keep.length)) + end
  if (clean.trim() === '') return ''
  // An end that is too long by itself gives up its right not to be cut.
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

/** Words of ours around a middle, with room to spare for a printer whose letters are wider than ours. */
export function centeredTextField(
  text: string,
  { size, middle, y }: { size: number; middle: number; y: number },
  white = false,
): string {
  const room = textWidth('bold', text.replaceAll('–', '\x96'), size) * 1.06
  return textField({ size, maxWidth: room }, { x: middle, y, align: 'middle', white }, text)
}

/** The barcode of a specimen (GS1-128): code set C, with the mark of GS1 before the routing and again before the number. */
export function specimenBars(
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

/**
 * What may stand in a field: a caret or a tilde would begin a command, and a backslash a new line.
 * Control characters have gone before, with everything else that cannot be printed (latin.ts); they go again here.
 */
export function escapeZpl(text: string): string {
  return text.replace(/[\^~\\\p{Cc}]/gu, '')
}
