// PDF operators in Latin-1. Points from the lower left corner.
import { fitText, textWidth, type Face } from './helvetica.ts'

export type Box = { x: number; y: number; width: number; height: number }

export type TextStyle = { face: Face; size: number; maxWidth: number }

/** To hundredths: finer than any printer, with half the digits. */
export function round(value: number): number {
  return Math.round(value * 100) / 100
}

export function rectOperator(box: Box): string {
  return `${box.x} ${box.y} ${box.width} ${box.height} re `
}

/** `thick` in points. */
export function ruleOperator(
  thick: number,
  from: [x: number, y: number],
  to: [x: number, y: number],
): string {
  return `${thick} w ${from.join(' ')} m ${to.join(' ')} l S `
}

/** Fixed text around a center, as a text object. */
export function centeredText(
  words: string,
  at: { face: Face; size: number; middle: number; y: number },
): string {
  const shown = toWinAnsi(words)
  const x = round(at.middle - textWidth(at.face, shown, at.size) / 2)
  return `BT ${fontOperator(at.face, at.size)}${x} ${at.y} Td (${escapePdfText(shown)}) Tj ET `
}

/** Inside a text object: the next lines begin at `x`, the first with its baseline at `y`. */
export function beginParagraph(
  { face, size }: TextStyle,
  x: number,
  y: number,
  leading: number,
): string {
  return `${fontOperator(face, size)}${leading} TL 1 0 0 1 ${x} ${round(y + leading)} Tm `
}

/**
 * The next line of a paragraph, made smaller, narrower or cut if needed; the style is restored.
 * `uncutEnd`: an end that is never cut, such as the ZIP. Empty text gives nothing.
 */
export function paragraphLine(style: TextStyle, words: string, uncutEnd = ''): string {
  if (words === '') return ''
  const { text, size, squeeze } = fitText(style.face, words, style.size, style.maxWidth, uncutEnd)
  if (size === style.size && squeeze === 100) return `(${escapePdfText(text)})' `
  const normal = fontOperator(style.face, style.size)
  if (squeeze === 100) return `${fontOperator(style.face, size)}(${escapePdfText(text)})' ${normal}`
  return `${fontOperator(style.face, size)}${squeeze} Tz(${escapePdfText(text)})' 100 Tz ${normal}`
}

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

// Font resource names.
const fontOperator = (face: Face, size: number) => `${face === 'bold' ? '/B' : '/R'} ${size} Tf `
const escapePdfText = (words: string) => words.replace(/[\\()]/g, '\\$&')
const toWinAnsi = (words: string) => words.replaceAll('–', '\x96')
