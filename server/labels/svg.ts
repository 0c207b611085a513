/**
 * Parts of a label as SVG, one unit per dot at 203 dpi. Boxes and baselines lie on whole dots, so that bars and lines have no gray
 * edges. Places and sizes are taken in points from the lower left corner, as in layout.ts.
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
  toDots,
} from './dots.ts'
import { gs1Symbols, symbolBars } from './gs1-128.ts'
import { fitText, textWidth, type Face, type FittedText } from './helvetica.ts'
import type { FixedText, Rule } from './layout.ts'
import type { Box, TextStyle } from './pdf-operators.ts'
import { BARCODE_MODULES, SPECIMEN_ROUTING } from './specimen-barcode.ts'

const CLIP_ID = 'texts'

/** A whole label. Arimo has the widths of Helvetica; kerning is off because the width table knows no pairs. */
export const svgDocument = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" width="${LABEL_DOTS.width}" height="${LABEL_DOTS.height}" `
  + `font-family="Arimo" style="font-kerning:none"><rect width="100%" height="100%" fill="#fff"/>${content}</svg>`

export function svgBox(box: Box, fill = '#000'): string {
  const { x, y, width, height } = toDots(box)
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`
}

export const svgRule = (rule: Rule): string => svgBox(ruleBox(rule))

/** The outline of a box, `thick` points wide, half of it outside of the box. */
export const svgOutline = (thick: number, box: Box): string =>
  innerOutline(dots(thick), toDots(outlineBox(thick, box)))

/** A line along the edge of the label, inside of it. */
export const svgEdge = (thick: number): string =>
  innerOutline(dots(thick), { x: 0, y: 0, ...LABEL_DOTS })

const innerOutline = (wide: number, { x, y, width, height }: Box): string =>
  `<rect x="${x + wide / 2}" y="${y + wide / 2}" width="${width - wide}" height="${height - wide}" `
  + `fill="none" stroke="#000" stroke-width="${wide}"/>`

/** A gray area mixed from black dots; `share` of them is black, from 0 to 1. */
export function svgShade(box: Box, share: number): string {
  const { x, y, width, height } = toDots(box)
  let path = ''
  for (let row = y; row < y + height; row++) {
    for (let column = x; column < x + width; column++)
      if (DITHER_ORDER[row & 3]![column & 3]! < share * 16) path += `M${column} ${row}h1v1h-1z`
  }
  return `<path d="${path}"/>`
}

/** `content`, cut off outside of these boxes and of the bleed beside them. */
export function svgClipped(boxes: readonly Box[], content: string): string {
  const areas = boxes.map(box => {
    const { x, y, width, height } = toDots(box)
    return `<rect x="${x - BLEED_DOTS}" y="${y}" width="${width + 2 * BLEED_DOTS}" height="${height}"/>`
  })
  return `<clipPath id="${CLIP_ID}">${areas.join('')}</clipPath><g clip-path="url(#${CLIP_ID})">${content}</g>`
}

/** Where a line of text stands: `y` is its baseline, `x` its beginning or its end. */
export type SvgTextPosition = { x: number; y: number; align?: 'left' | 'right' }

/** A line of text, made smaller, narrower or cut as in the PDF; nothing for an empty one. `uncutEnd` is never cut. */
export function svgText(
  { face, size, maxWidth }: TextStyle,
  { x, y, align = 'left' }: SvgTextPosition,
  text: string,
  uncutEnd = '',
): string {
  if (text === '') return ''
  const fitted = fitText(face, text, size, maxWidth, uncutEnd)
  const width = (textWidth(face, fitted.text, fitted.size) * fitted.squeeze) / 100
  return textElement(face, fitted, align === 'left' ? x : x - width, y)
}

/** Fixed words around a middle. */
export function svgCentered(
  { text, face, size, middle, y }: FixedText,
  color: '#000' | '#fff' = '#000',
): string {
  const left = middle - widthOf(face, text, size) / 2
  return textElement(face, { text, size, squeeze: 100 }, left, y, `fill="${color}"`)
}

/** Outlined letters, `wide` dots thick, that rise by `angle` (radians) through the middle of their line. */
export function svgHollow(
  { text, face, size, middle, y, angle }: FixedText & { angle: number },
  wide: number,
): string {
  const left = (-widthOf(face, text, size) / 2) * DOTS_PER_POINT
  const down = (size * CAPITAL_HEIGHT * DOTS_PER_POINT) / 2
  return (
    `<g transform="translate(${dots(middle)} ${dotRow(y)}) rotate(${(-angle * 180) / Math.PI})">`
    + `<text x="${left}" y="${down}" ${fontAttributes(face, size)} fill="none" stroke="#000" stroke-width="${wide}">${text}</text></g>`
  )
}

/** The height of a capital at a type size of one. */
const CAPITAL_HEIGHT = 0.718

/** The bars of a specimen: each module is three dots wide. */
export function svgBars(
  trackingNumber: string,
  { y, height }: { y: number; height: number },
): string {
  const left = Math.round((LABEL_DOTS.width - BARCODE_MODULES * MODULE_DOTS) / 2)
  const high = dots(height)
  const path = symbolBars(gs1Symbols(SPECIMEN_ROUTING, trackingNumber)).map(({ start, width }) => {
    const wide = width * MODULE_DOTS
    return `M${left + start * MODULE_DOTS} ${dotRow(y) - high}h${wide}v${high}h-${wide}z`
  })
  return `<path d="${path.join('')}"/>`
}

function textElement(
  face: Face,
  { text, size, squeeze }: FittedText,
  x: number,
  y: number,
  more = '',
): string {
  const left = x * DOTS_PER_POINT
  const place =
    squeeze === 100
      ? `x="${left}" y="${dotRow(y)}"`
      : `transform="translate(${left} ${dotRow(y)}) scale(${squeeze / 100} 1)"`
  // Only the middle dot of Arimo is wider than that of Helvetica; the line keeps the length that it has in the PDF.
  const length = widthOf(face, text, size) * DOTS_PER_POINT
  return `<text ${place} textLength="${length}" ${fontAttributes(face, size)} ${more}>${escapeXml(text)}</text>`
}

const fontAttributes = (face: Face, size: number): string =>
  `font-size="${size * DOTS_PER_POINT}" font-weight="${face === 'bold' ? 700 : 400}"`

// The width table knows the dash by its place in a PDF.
const widthOf = (face: Face, text: string, size: number): number =>
  textWidth(face, text.replaceAll('–', '\x96'), size)

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text as XML holds it. Control characters, which XML does not allow, are dropped. */
const escapeXml = (text: string): string =>
  text.replace(/\p{Cc}/gu, '').replace(/[&<>"]/g, character => ENTITIES[character]!)
