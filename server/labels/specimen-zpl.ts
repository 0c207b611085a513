/**
 * Specimens as ZPL II at 203 dpi. The form comes after the customer's texts and clears its areas
 * first, so that no text can cover a mark. Many labels are concatenated.
 */
import { groupTracking } from '#contract/format.ts'
import { assertSandboxTracking } from '#server/carriers/sandbox/tracking.ts'
import { textWidth } from './helvetica.ts'
import type { LabelData } from './label-data.ts'
import {
  BARCODE_BOX,
  BLACK_BOXES,
  CAPTION,
  FIELDS,
  MARK_BOXES,
  MARKS_ON_BLACK,
  MARKS_ON_WHITE,
  TRACKING_NUMBER_FIELD,
  OUTLINES,
  PAGE,
  PARCEL_RIGHT,
  PHONE_STYLE,
  RULES,
  SPECIMEN_TITLE,
  WATERMARK,
  type LabelField,
} from './layout.ts'
import { labelWording, type SpecimenLine } from './wording.ts'
import {
  LABEL_BEGIN,
  centeredTextField,
  LABEL_END,
  filledBox,
  diagonalLine,
  outlinedBox,
  zplComment,
  ruledLine,
  trackingBarcode,
  textField,
} from './zpl-commands.ts'

/**
 * ^XA to ^XZ and a line break, UTF-8, about 3 KB. Texts may contain commands. Throws for anything
 * but a sandbox tracking number.
 */
export function specimenZpl(label: LabelData): string {
  const { trackingNumber } = label
  assertSandboxTracking(trackingNumber)
  const { service, from, to, toField, toPhone, weight, size, options, stack, goods } =
    labelWording(label)
  return (
    SPECIMEN_HEAD
    + zplLines(FIELDS.service, [{ text: service, uncutEnd: '' }])
    + zplLines(FIELDS.from, from)
    + rightAlignedZpl(FIELDS.weight, weight)
    + rightAlignedZpl(FIELDS.size, size)
    + options.map(({ text }, turn) => rightAlignedZpl(FIELDS.options, text, turn)).join('')
    + zplLines(toField, to)
    + zplLines({ ...toField, style: PHONE_STYLE }, [{ text: toPhone, uncutEnd: '' }], to.length)
    + zplLines(FIELDS.stack, [stack])
    + zplLines(FIELDS.goods, [{ text: goods, uncutEnd: '' }])
    + SPECIMEN_FORM
    + textField(
      TRACKING_NUMBER_FIELD.style,
      { x: PAGE.width / 2, y: TRACKING_NUMBER_FIELD.y, align: 'middle' },
      groupTracking(trackingNumber),
    )
    + trackingBarcode(trackingNumber, BARCODE_BOX)
    + LABEL_END
  )
}

function zplLines(
  { style, x, y, leading }: LabelField,
  wanted: readonly SpecimenLine[],
  after = 0,
): string {
  return wanted
    .map(({ text, uncutEnd }, turn) =>
      textField(style, { x, y: y - (after + turn) * leading }, text, uncutEnd),
    )
    .join('')
}

function rightAlignedZpl({ style, y, leading }: LabelField, text: string, turn = 0): string {
  return textField(style, { x: PARCEL_RIGHT, y: y - turn * leading, align: 'right' }, text)
}

type Point = readonly [x: number, y: number]

// Strokes in a unit square from the lower left.
const STROKES: Record<string, Point[][]> = {
  S: [
    [
      [1, 0.88],
      [0.8, 1],
      [0.2, 1],
      [0, 0.88],
      [0, 0.62],
      [0.2, 0.52],
      [0.8, 0.48],
      [1, 0.38],
      [1, 0.12],
      [0.8, 0],
      [0.2, 0],
      [0, 0.12],
    ],
  ],
  A: [
    [
      [0, 0],
      [0.5, 1],
      [1, 0],
    ],
    [
      [0.18, 0.36],
      [0.82, 0.36],
    ],
  ],
  M: [
    [
      [0, 0],
      [0, 1],
      [0.5, 0.25],
      [1, 1],
      [1, 0],
    ],
  ],
  P: [
    [
      [0, 0],
      [0, 1],
      [0.8, 1],
      [1, 0.88],
      [1, 0.6],
      [0.8, 0.48],
      [0, 0.48],
    ],
  ],
  L: [
    [
      [0, 1],
      [0, 0],
      [1, 0],
    ],
  ],
  E: [
    [
      [1, 1],
      [0, 1],
      [0, 0],
      [1, 0],
    ],
    [
      [0, 0.52],
      [0.85, 0.52],
    ],
  ],
}

const SPECIMEN_HEAD = LABEL_BEGIN + zplComment(SPECIMEN_TITLE) + watermark()

const SPECIMEN_FORM =
  MARK_BOXES.map(box => filledBox(box, 'W')).join('')
  + OUTLINES.map(({ thick, box }) => outlinedBox(thick, box)).join('')
  + RULES.map(ruledLine).join('')
  + BLACK_BOXES.map(box => filledBox(box)).join('')
  + MARKS_ON_WHITE.map(mark => centeredTextField(mark.text, mark)).join('')
  + textField(CAPTION.style, CAPTION, CAPTION.words)
  + MARKS_ON_BLACK.map(mark => centeredTextField(mark.text, mark, true)).join('')

// Printers turn letters by quarters only, so the word across the page is drawn as thin lines.
function watermark(): string {
  const { text: word, size, angle, middle, y } = WATERMARK
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const high = size * 0.718
  let along = -textWidth('bold', word, size) / 2
  return [...word]
    .map(letter => {
      const wide = textWidth('bold', letter, size)
      const place = ([px, py]: Point): Point => {
        const [right, up] = [along + (0.14 + px * 0.72) * wide, (py - 0.5) * high]
        return [middle + cos * right - sin * up, y + sin * right + cos * up]
      }
      const drawn = STROKES[letter]!.flatMap(stroke =>
        stroke.slice(1).map((end, turn) => diagonalLine(1, place(stroke[turn]!), place(end))),
      )
      along += wide
      return drawn.join('')
    })
    .join('')
}
