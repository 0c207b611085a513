// Helvetica is built into every PDF reader, so a label needs no embedded font: a file of one label
// is 2.3 KB instead of 17. We must know the glyph widths instead.

export type Face = 'regular' | 'bold'

// Thousandths of the font size for characters 0x20 to 0x7e (Adobe's published metrics).
const ADVANCE: Record<Face, number[]> = {
  regular: parseWidths(
    '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 '
      + '1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 '
      + '333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584',
  ),
  bold: parseWidths(
    '278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333 584 584 584 611 '
      + '975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 667 667 611 333 278 333 584 556 '
      + '333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500 389 280 389 584',
  ),
}
// The two characters beyond ASCII in our own texts, in WinAnsi: dash and middle dot.
const EXTRA_ADVANCE: Record<string, number> = { '\x96': 556, '\xb7': 278 }

// A long line first gets smaller (share of its size), then narrower (percent), and is cut only
// below these limits, where print is hard to read.
const MIN_SCALE = 0.72
const MIN_SQUEEZE = 78

/** `size` in points, `squeeze` in percent of the normal width. */
export type FittedText = { text: string; size: number; squeeze: number }

/** In points. Characters outside the table have no width. */
export function textWidth(face: Face, text: string, size: number): number {
  const advance = ADVANCE[face]
  let sum = 0
  for (let i = 0; i < text.length; i++)
    sum += advance[text.charCodeAt(i) - 32] ?? EXTRA_ADVANCE[text[i]!] ?? 0
  return (sum * size) / 1000
}

/** Fits the text into `maxWidth` points. If it must be cut, `uncutEnd`, with which it ends, stays. */
export function fitText(
  face: Face,
  text: string,
  size: number,
  maxWidth: number,
  uncutEnd = '',
): FittedText {
  const width = textWidth(face, text, size)
  if (width <= maxWidth) return { text, size, squeeze: 100 }
  const smaller = Math.max(
    floorToTenths((size * maxWidth) / width),
    floorToTenths(size * MIN_SCALE),
  )
  const squeeze = Math.floor((100 * maxWidth) / textWidth(face, text, smaller))
  if (squeeze >= MIN_SQUEEZE) return { text, size: smaller, squeeze: Math.min(squeeze, 100) }
  const left = (maxWidth * 100) / MIN_SQUEEZE - textWidth(face, uncutEnd, smaller)
  return {
    text:
      truncateText(face, text.slice(0, text.length - uncutEnd.length), smaller, left) + uncutEnd,
    size: smaller,
    squeeze: MIN_SQUEEZE,
  }
}

function truncateText(face: Face, text: string, size: number, room: number): string {
  const advance = ADVANCE[face]
  let left = (room * 1000) / size
  for (let i = 0; i < text.length; i++) {
    left -= advance[text.charCodeAt(i) - 32] ?? EXTRA_ADVANCE[text[i]!] ?? 0
    if (left < 0) return text.slice(0, i).trimEnd()
  }
  return text
}

// Rounded down to a tenth of a point: a size rounded up would not fit.
const floorToTenths = (points: number) => Math.floor(points * 10) / 10

function parseWidths(figures: string): number[] {
  return figures.split(' ').map(Number)
}
