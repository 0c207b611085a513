/**
 * Parts of a label as SVG, one unit per dot at 203 dpi. Boxes and baselines are on whole dots, so
 * that bars and lines have no gray edges. Input in points from the lower left corner, as in
 * layout.ts.
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
import { gs1Symbols, symbolBars } from './gs1-128.ts'
import { fitText, textWidth, type Face, type FittedText } from './helvetica.ts'
import type { FixedText, Rule } from './layout.ts'
import type { Box, TextStyle } from './pdf-operators.ts'
import { BARCODE_MODULES, SPECIMEN_ROUTING } from './specimen-barcode.ts'

const CLIP_ID = 'texts'

/** Arimo has the widths of Helvetica; kerning is off because the width table has no pairs. */
export const svgDocument = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" width="${LABEL_DOTS.width}" height="${LABEL_DOTS.height}" `
  + `font-family="Arimo" style="font-kerning:none"><rect width="100%" height="100%" fill="#fff"/>${content}</svg>`

export function svgBox(box: Box, fill = '#000'): string {
  const { x, y, width, height } = boxToDots(box)
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`
}

export const svgRule = (rule: Rule): string => svgBox(ruleBox(rule))

/** `thick` points wide, centered on the box. */
export const svgOutline = (thick: number, box: Box): string =>
  innerOutline(dots(thick), boxToDots(outlineBox(thick, box)))

/** A line along the inside of the label's edge. */
export const svgEdge = (thick: number): string =>
  innerOutline(dots(thick), { x: 0, y: 0, ...LABEL_DOTS })

const innerOutline = (wide: number, { x, y, width, height }: Box): string =>
  `<rect x="${x + wide / 2}" y="${y + wide / 2}" width="${width - wide}" height="${height - wide}" `
  + `fill="none" stroke="#000" stroke-width="${wide}"/>`

/** Gray as a pattern of black dots; `share` from 0 to 1. */
export function svgShade(box: Box, share: number): string {
  const { x, y, width, height } = boxToDots(box)
  let path = ''
  for (let row = y; row < y + height; row++) {
    for (let column = x; column < x + width; column++)
      if (DITHER_ORDER[row & 3]![column & 3]! < share * 16) path += `M${column} ${row}h1v1h-1z`
  }
  return `<path d="${path}"/>`
}

/** Clips `content` to these boxes plus bleed. */
export function clipSvgToBoxes(boxes: readonly Box[], content: string): string {
  const areas = boxes.map(box => {
    const { x, y, width, height } = boxToDots(box)
    return `<rect x="${x - BLEED_DOTS}" y="${y}" width="${width + 2 * BLEED_DOTS}" height="${height}"/>`
  })
  return `<clipPath id="${CLIP_ID}">${areas.join('')}</clipPath><g clip-path="url(#${CLIP_ID})">${content}</g>`
}

/** `y` is the baseline, `x` the start or end. */
export type SvgTextPosition = { x: number; y: number; align?: 'left' | 'right' }

/** Made smaller, narrower or cut as in the PDF; nothing for empty text. `uncutEnd` is never cut. */
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

/** Fixed text around a center. */
export function svgCentered(
  { text, face, size, middle, y }: FixedText,
  color: '#000' | '#fff' = '#000',
): string {
  const left = middle - widthOf(face, text, size) / 2
  return textElement(face, { text, size, squeeze: 100 }, left, y, `fill="${color}"`)
}

/**
 * Outlined letters, `wide` dots thick, rising by `angle` (radians) through the middle of the line.
 */
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

/** Capital height at font size one. */
const CAPITAL_HEIGHT = 0.718

/** Each module is three dots wide. */
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
  // Only Arimo's middle dot is wider than Helvetica's; the line keeps its length of the PDF.
  const length = widthOf(face, text, size) * DOTS_PER_POINT
  return `<text ${place} textLength="${length}" ${fontAttributes(face, size)} ${more}>${escapeXml(text)}</text>`
}

const fontAttributes = (face: Face, size: number): string =>
  `font-size="${size * DOTS_PER_POINT}" font-weight="${face === 'bold' ? 700 : 400}"`

// The width table has the dash at its WinAnsi code.
const widthOf = (face: Face, text: string, size: number): number =>
  textWidth(face, text.replaceAll('–', '\x96'), size)

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes XML; control characters, which XML does not allow, are dropped. */
const escapeXml = (text: string): string =>
  text.replace(/\p{Cc}/gu, '').replace(/[&<>"]/g, character => ENTITIES[character]!)
