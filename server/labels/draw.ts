// Marks on a page as PDF operators, in Latin-1. Points, from the lower left corner.
import { fit, textWidth, type Face } from './helvetica.ts'

export type Box = { x: number; y: number; width: number; height: number }

/** How a line is set: `room` is the width that it may take. */
export type Style = { face: Face; size: number; room: number }

/** To hundredths: finer than any printer, and half the digits. */
export function round(value: number): number {
  return Math.round(value * 100) / 100
}

/** The outline of a box, to be filled, stroked or cut along. */
export function rect(box: Box): string {
  return `${box.x} ${box.y} ${box.width} ${box.height} re `
}

/** A straight line, `thick` points wide. */
export function rule(
  thick: number,
  from: [x: number, y: number],
  to: [x: number, y: number],
): string {
  return `${thick} w ${from.join(' ')} m ${to.join(' ')} l S `
}

/** Fixed words around a middle, as a text block of their own. */
export function centred(
  words: string,
  at: { face: Face; size: number; middle: number; y: number },
): string {
  const shown = winAnsi(words)
  const x = round(at.middle - textWidth(at.face, shown, at.size) / 2)
  return `BT ${font(at.face, at.size)}${x} ${at.y} Td (${escaped(shown)}) Tj ET `
}

/** Inside a text block: the lines that follow stand at `x` in this style, the first one with its baseline at `y`. */
export function paragraph({ face, size }: Style, x: number, y: number, leading: number): string {
  return `${font(face, size)}${leading} TL 1 0 0 1 ${x} ${round(y + leading)} Tm `
}

/**
 * The next line of a paragraph: smaller, narrower or cut where it must be, and the style as it was after it. `keep` is an end of the
 * line that is never cut, such as the ZIP after a city. Nothing at all for an empty text.
 */
export function line(style: Style, words: string, keep = ''): string {
  if (words === '') return ''
  const { text, size, squeeze } = fit(style.face, words, style.size, style.room, keep)
  if (size === style.size && squeeze === 100) return `(${escaped(text)})' `
  const normal = font(style.face, style.size)
  if (squeeze === 100) return `${font(style.face, size)}(${escaped(text)})' ${normal}`
  return `${font(style.face, size)}${squeeze} Tz(${escaped(text)})' 100 Tz ${normal}`
}

/** A line of its own that ends at `right`. */
export function rightAligned(style: Style, right: number, y: number, words: string): string {
  const fitted = fit(style.face, words, style.size, style.room)
  const width = (textWidth(style.face, fitted.text, fitted.size) * fitted.squeeze) / 100
  return paragraph(style, round(right - width), y, 0) + line(style, words)
}

// The names under which a page finds its fonts.
const font = (face: Face, size: number) => `${face === 'bold' ? '/B' : '/R'} ${size} Tf `
const escaped = (words: string) => words.replace(/[\\()]/g, '\\$&')
const winAnsi = (words: string) => words.replaceAll('–', '\x96')
