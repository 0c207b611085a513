// Marks on a page as PDF operators, in Latin-1. Points, from the lower left corner.
import { fitText, textWidth, type Face } from './helvetica.ts'

export type Box = { x: number; y: number; width: number; height: number }

/** How a line is set: `room` is the width that it may take. */
export type TextStyle = { face: Face; size: number; maxWidth: number }

/** To hundredths: finer than any printer, and half the digits. */
export function round(value: number): number {
  return Math.round(value * 100) / 100
}

/** The outline of a box, to be filled, stroked or cut along. */
export function rectOperator(box: Box): string {
  return `${box.x} ${box.y} ${box.width} ${box.height} re `
}

/** A straight line, `thick` points wide. */
export function ruleOperator(
  thick: number,
  from: [x: number, y: number],
  to: [x: number, y: number],
): string {
  return `${thick} w ${from.join(' ')} m ${to.join(' ')} l S `
}

/** Fixed words around a middle, as a text block of their own. */
export function centeredText(
  words: string,
  at: { face: Face; size: number; middle: number; y: number },
): string {
  const shown = toWinAnsi(words)
  const x = round(at.middle - textWidth(at.face, shown, at.size) / 2)
  return `BT ${fontOperator(at.face, at.size)}${x} ${at.y} Td (${escapePdfText(shown)}) Tj ET `
}

/** Inside a text block: the lines that follow stand at `x` in this style, the first one with its baseline at `y`. */
export function beginParagraph(
  { face, size }: TextStyle,
  x: number,
  y: number,
  leading: number,
): string {
  return `${fontOperator(face, size)}${leading} TL 1 0 0 1 ${x} ${round(y + leading)} Tm `
}

/**
 * The next line of a paragraph: smaller, narrower or cut where it must be, and the style as it was after it. `keep` is an end of the
 * line that is never cut, such as the ZIP after a city. Nothing at all for an empty text.
 */
export function paragraphLine(style: TextStyle, words: string, keep = ''): string {
  if (words === '') return ''
  const { text, size, squeeze } = fitText(style.face, words, style.size, style.maxWidth, keep)
  if (size === style.size && squeeze === 100) return `(${escapePdfText(text)})' `
  const normal = fontOperator(style.face, style.size)
  if (squeeze === 100) return `${fontOperator(style.face, size)}(${escapePdfText(text)})' ${normal}`
  return `${fontOperator(style.face, size)}${squeeze} Tz(${escapePdfText(text)})' 100 Tz ${normal}`
}

/** A line of its own that ends at `right`. */
export function rightAlignedLine(
  style: TextStyle,
  right: number,
  y: number,
  words: string,
): string {
  const fitted = fitText(style.face, words, style.size, style.maxWidth)
  const width = (textWidth(style.face, fitted.text, fitted.size) * fitted.squeeze) / 100
  return beginParagraph(style, round(right - width), y, 0) + paragraphLine(style, words)
}

// The names under which a page finds its fonts.
const fontOperator = (face: Face, size: number) => `${face === 'bold' ? '/B' : '/R'} ${size} Tf `
const escapePdfText = (words: string) => words.replace(/[\\()]/g, '\\$&')
const toWinAnsi = (words: string) => words.replaceAll('–', '\x96')
