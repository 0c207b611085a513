// A specimen as PDF operators in three layers: ground (lines, watermark, constant bars), the
// label's texts, and the marks, so that no customer text can cover them.
import { groupTracking } from '#contract/format.ts'
import { assertSandboxTracking, sandboxTracking } from '#server/carriers/sandbox/tracking.ts'
import { textWidth } from './helvetica.ts'
import type { LabelData } from './label-data.ts'
import {
  BARCODE_BOX,
  BLACK_BOXES,
  CAPTION,
  FIELDS,
  MARKS_ON_BLACK,
  MARKS_ON_WHITE,
  TRACKING_NUMBER_FIELD,
  OUTLINES,
  PAGE,
  PARCEL_RIGHT,
  PHONE_STYLE,
  RULES,
  WATERMARK,
  TEXT_AREAS,
  type LabelField,
} from './layout.ts'
import {
  centeredText,
  paragraphLine,
  beginParagraph,
  rectOperator,
  rightAlignedLine,
  round,
  ruleOperator,
  type Box,
  type TextStyle,
} from './pdf-operators.ts'
import { CONSTANT_BARS, MODULE_WIDTH, serialBars } from './specimen-barcode.ts'
import { labelWording, type SpecimenLine } from './wording.ts'

// Constant operators, built once. Texts are clipped to their boxes: the width table may differ from
// a viewer's Helvetica.
const CLIP_AND_BEGIN = `q ${TEXT_AREAS.map(withBleed).map(rectOperator).join('')}W n BT `
const SERVICE_START = beginField(FIELDS.service)
const FROM_START = beginField(FIELDS.from)
const PHONE_FONT = '/R 8 Tf '
const STACK_START = beginField(FIELDS.stack)
const GOODS_START = beginField(FIELDS.goods)
// All digits have the same width, so every number begins at the same position.
const NUMBER_WIDTH = textWidth(
  'bold',
  groupTracking(sandboxTracking(0)),
  TRACKING_NUMBER_FIELD.style.size,
)
const NUMBER_START = beginParagraph(
  TRACKING_NUMBER_FIELD.style,
  round((PAGE.width - NUMBER_WIDTH) / 2),
  TRACKING_NUMBER_FIELD.y,
  0,
)
const DRAW_BARS = `q ${MODULE_WIDTH} 0 0 ${BARCODE_BOX.height} ${BARCODE_BOX.x} ${BARCODE_BOX.y} cm `

/** Lines, watermark and constant bars, drawn below everything. */
export const GROUND_LAYER =
  OUTLINES.map(({ thick, box }) => `${thick} w ${rectOperator(box)}S `).join('')
  + RULES.map(({ thickness, from, to }) => ruleOperator(thickness, from, to)).join('')
  + watermark()
  + DRAW_BARS
  + CONSTANT_BARS
  + 'f Q'

/** The words that mark a specimen, drawn above everything. */
export const MARKS_LAYER =
  `${BLACK_BOXES.map(rectOperator).join('')}f `
  + MARKS_ON_WHITE.map(({ text, ...at }) => centeredText(text, at)).join('')
  + `BT ${beginField(CAPTION)}${paragraphLine(CAPTION.style, CAPTION.words)}ET `
  + '1 g '
  + MARKS_ON_BLACK.map(({ text, ...at }) => centeredText(text, at)).join('')

/** The texts of one label as PDF operators. Throws for anything but a sandbox tracking number. */
export function specimenContent(label: LabelData): string {
  const { trackingNumber } = label
  assertSandboxTracking(trackingNumber)
  const { service, from, to, toField, toPhone, weight, size, options, stack, goods } =
    labelWording(label)
  return (
    CLIP_AND_BEGIN
    + SERVICE_START
    + paragraphLine(FIELDS.service.style, service)
    + FROM_START
    + fieldLines(FIELDS.from.style, from)
    + rightAlignedField(FIELDS.weight, weight)
    + rightAlignedField(FIELDS.size, size)
    + options.map(rightAlignedOption).join('')
    + beginField(toField)
    + fieldLines(toField.style, to)
    + (toPhone === '' ? '' : PHONE_FONT + paragraphLine(PHONE_STYLE, toPhone))
    + STACK_START
    + fieldLines(FIELDS.stack.style, [stack])
    + GOODS_START
    + paragraphLine(FIELDS.goods.style, goods)
    + `ET Q BT ${NUMBER_START}(${groupTracking(trackingNumber)})' ET `
    + DRAW_BARS
    + serialBars(trackingNumber)
    + 'f Q'
  )
}

function beginField({ style, x, y, leading }: LabelField): string {
  return beginParagraph(style, x, y, leading)
}

function fieldLines(style: TextStyle, wanted: readonly SpecimenLine[]): string {
  return wanted.map(({ text, uncutEnd }) => paragraphLine(style, text, uncutEnd)).join('')
}

function rightAlignedField({ style, y }: LabelField, words: string): string {
  return rightAlignedLine(style, PARCEL_RIGHT, y, words)
}

function rightAlignedOption({ text }: SpecimenLine, turn: number): string {
  const { style, y, leading } = FIELDS.options
  return rightAlignedLine(style, PARCEL_RIGHT, round(y - turn * leading), text)
}

// Outlined letters stay light under an address, and thermal printers need no gray.
function watermark(): string {
  const { text, size, angle, middle, y } = WATERMARK
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const along = textWidth('bold', text, size) / 2
  const up = (size * 0.718) / 2
  const left = round(middle - cos * along + sin * up)
  const base = round(y - sin * along - cos * up)
  const turn = [cos, sin, -sin, cos].map(part => part.toFixed(4)).join(' ')
  return `q 0.6 G 0.7 w BT 1 Tr /B ${size} Tf ${turn} ${left} ${base} Tm (${text}) Tj ET Q `
}

// Round glyphs extend a little beyond their width.
function withBleed({ x, y, width, height }: Box): Box {
  return { x: x - 2, y, width: width + 4, height }
}
