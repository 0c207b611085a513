// The layout of the printer test page: label size (4 x 6 inches), nothing that could pass for a
// label. Points from the lower left corner.
import { groupTracking } from '#contract/format.ts'
import { sandboxTracking } from '#server/carriers/sandbox/tracking.ts'
import type { Face } from './helvetica.ts'
import { BARCODE_BOX, PAGE, type Rule } from './layout.ts'
import type { Box } from './pdf-operators.ts'
import { SPECIMEN_ROUTING } from './specimen-barcode.ts'

export const TEST_TITLE = 'Test page, not valid for postage'

export const TEST_NOTICE = 'TEST PAGE – NOT A LABEL, NOT VALID FOR POSTAGE'

/** The sandbox's first number, which no parcel has; in label size. */
export const TEST_NUMBER = sandboxTracking(0)
export const TEST_BARCODE_BOX = BARCODE_BOX

/** Drawn along the inside of the page's edge: a missing side shows how far the printer reaches. */
export const EDGE_THICKNESS = 1

/** The reach of thermal printers: this frame must be complete. */
export const MARGIN_FRAME = {
  thick: 0.75,
  box: { x: 9, y: 9, width: PAGE.width - 18, height: PAGE.height - 18 },
}

/** `x` is the start or, for 'middle', the center; `y` the baseline. `white` is on black. */
export type TestText = {
  text: string
  face: Face
  size: number
  x: number
  y: number
  align: 'left' | 'middle'
  white?: boolean
}

const MIDDLE = PAGE.width / 2
const INCH = 72
const HORIZONTAL_RULER = { x: MIDDLE - 1.5 * INCH, y: 300, inches: 3 }
const VERTICAL_RULER = { x: 262, y: 178, inches: 1 }
const LEFT = 17

const leftText = (
  words: string,
  size: number,
  y: number,
  x = LEFT,
  face: Face = 'regular',
): TestText => ({ text: words, face, size, x, y, align: 'left' })
const centeredTestText = (
  words: string,
  size: number,
  y: number,
  x = MIDDLE,
  face: Face = 'regular',
): TestText => ({ text: words, face, size, x, y, align: 'middle' })

/** Black boxes with white text. */
export const TEST_BLACK_BOXES: readonly Box[] = [
  { x: LEFT, y: 366, width: PAGE.width - 2 * LEFT, height: 18 },
]

/** Shares of black, as dot patterns. */
export const TEST_GRAY_BOXES: readonly { box: Box; share: number }[] = [
  0.1, 0.25, 0.5, 0.75, 1,
].map((share, turn) => ({ share, box: { x: LEFT + turn * 46, y: 250, width: 40, height: 16 } }))

/** The ruler: eighths of an inch above its line, millimeters below, and one vertical inch. */
export const TEST_RULES: readonly Rule[] = [
  {
    thickness: 1,
    from: [HORIZONTAL_RULER.x, HORIZONTAL_RULER.y],
    to: [HORIZONTAL_RULER.x + HORIZONTAL_RULER.inches * INCH, HORIZONTAL_RULER.y],
  },
  ...Array.from({ length: HORIZONTAL_RULER.inches * 8 + 1 }, (_, eighth) =>
    rulerTick(
      HORIZONTAL_RULER.x + (eighth * INCH) / 8,
      eighth % 8 === 0 ? 12 : eighth % 4 === 0 ? 8 : eighth % 2 === 0 ? 6 : 4,
    ),
  ),
  ...Array.from({ length: Math.floor(HORIZONTAL_RULER.inches * 25.4) + 1 }, (_, mm) =>
    rulerTick(HORIZONTAL_RULER.x + (mm * INCH) / 25.4, mm % 10 === 0 ? -9 : mm % 5 === 0 ? -6 : -4),
  ),
  {
    thickness: 1,
    from: [VERTICAL_RULER.x, VERTICAL_RULER.y],
    to: [VERTICAL_RULER.x, VERTICAL_RULER.y + INCH],
  },
  ...[0, 1].map((end): Rule => ({
    thickness: 1,
    from: [VERTICAL_RULER.x - 5, VERTICAL_RULER.y + end * INCH],
    to: [VERTICAL_RULER.x + 5, VERTICAL_RULER.y + end * INCH],
  })),
]

const SAMPLE_TEXT_SIZES: readonly [size: number, y: number][] = [
  [6, 229],
  [8, 217.5],
  [10, 204],
  [12, 188.5],
  [15, 170],
]

export const TEST_TEXTS: readonly TestText[] = [
  centeredTestText('TEST PAGE', 22, 392, MIDDLE, 'bold'),
  { ...centeredTestText(TEST_NOTICE, 9, 372, MIDDLE, 'bold'), white: true },
  leftText('Print at 100% (actual size), not "Fit to page".', 8, 354),
  leftText('The inner frame, 1/8 in from the edge, must be visible on all sides.', 7, 344),
  centeredTestText('MEASURE THIS: 3 in (76.2 mm)', 9, 327, MIDDLE, 'bold'),
  ...Array.from({ length: HORIZONTAL_RULER.inches + 1 }, (_, inch) =>
    centeredTestText(`${inch}`, 7, HORIZONTAL_RULER.y + 14.5, HORIZONTAL_RULER.x + inch * INCH),
  ),
  ...Array.from({ length: 8 }, (_, cm) =>
    centeredTestText(
      `${cm * 10}`,
      6,
      HORIZONTAL_RULER.y - 16,
      HORIZONTAL_RULER.x + (cm * INCH) / 2.54,
    ),
  ),
  leftText(
    'in',
    7,
    HORIZONTAL_RULER.y + 4,
    HORIZONTAL_RULER.x + HORIZONTAL_RULER.inches * INCH + 5,
  ),
  leftText(
    'mm',
    7,
    HORIZONTAL_RULER.y - 9,
    HORIZONTAL_RULER.x + HORIZONTAL_RULER.inches * INCH + 5,
  ),
  ...TEST_GRAY_BOXES.map(({ share, box }) =>
    centeredTestText(`${share * 100}%`, 6, box.y - 7, box.x + box.width / 2),
  ),
  leftText('1 in', 7, VERTICAL_RULER.y + INCH / 2 - 2, VERTICAL_RULER.x - 17),
  ...SAMPLE_TEXT_SIZES.map(([size, y]) => leftText(`${size} pt  ABCDEFG 0123456789`, size, y)),
  centeredTestText('SPECIMEN BARCODE – NO PARCEL HAS IT', 9, 142, MIDDLE, 'bold'),
  centeredTestText(groupTracking(TEST_NUMBER), 11, 60.5, MIDDLE, 'bold'),
  centeredTestText(`A scanner reads ${SPECIMEN_ROUTING} and then this number.`, 7, 47),
]

function rulerTick(x: number, length: number): Rule {
  return { thickness: 0.5, from: [x, HORIZONTAL_RULER.y], to: [x, HORIZONTAL_RULER.y + length] }
}
