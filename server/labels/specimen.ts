// A specimen as PDF operators. A page has three layers: the ground (lines, the pale SAMPLE, the bars that never change), then what
// this label says, then the marks, so that no text of a customer can cover them.
import { groupTracking } from '#contract/format.ts'
import { assertSpecimen, sandboxTracking } from '#server/carriers/sandbox/tracking.ts'
import {
  centred,
  line,
  paragraph,
  rect,
  rightAligned,
  round,
  rule,
  type Box,
  type Style,
} from './draw.ts'
import { textWidth } from './helvetica.ts'
import {
  BARS,
  BLACK,
  CAPTION,
  FIELDS,
  MARKS_ON_BLACK,
  MARKS_ON_WHITE,
  NUMBER,
  OUTLINES,
  PAGE,
  PARCEL_RIGHT,
  RULES,
  WATERMARK,
  WRITTEN_IN,
  type Field,
} from './layout.ts'
import type { LabelPaper } from './paper.ts'
import { CONSTANT_BARS, MODULE, serialBars } from './specimen-bars.ts'
import { wordingOf, type Line } from './wording.ts'

// What never changes about the text of a label, put together once. Nothing of what a customer wrote is drawn outside of its boxes:
// the width table could be wrong about a viewer's own Helvetica, the clipping cannot.
const CLIP = `q ${WRITTEN_IN.map(withBleed).map(rect).join('')}W n BT `
const SERVICE_PLACE = begin(FIELDS.service)
const FROM_PLACE = begin(FIELDS.from)
const TO_PLACE = begin(FIELDS.to)
const PHONE_FONT = '/R 8 Tf '
const STACK_PLACE = begin(FIELDS.stack)
const GOODS_PLACE = begin(FIELDS.goods)
// Digits are all of one width, so every number begins at the same place.
const NUMBER_WIDTH = textWidth('bold', groupTracking(sandboxTracking(0)), NUMBER.style.size)
const NUMBER_PLACE = paragraph(NUMBER.style, round((PAGE.width - NUMBER_WIDTH) / 2), NUMBER.y, 0)
const DRAW_BARS = `q ${MODULE} 0 0 ${BARS.height} ${BARS.x} ${BARS.y} cm `

/** The lines, the pale SAMPLE and the constant bars: drawn under everything. */
export const GROUND =
  OUTLINES.map(({ thick, box }) => `${thick} w ${rect(box)}S `).join('')
  + RULES.map(({ thick, from, to }) => rule(thick, from, to)).join('')
  + watermark()
  + DRAW_BARS
  + CONSTANT_BARS
  + 'f Q'

/** The words that make it a specimen: drawn over everything. */
export const MARKS =
  `${BLACK.map(rect).join('')}f `
  + MARKS_ON_WHITE.map(({ words, ...at }) => centred(words, at)).join('')
  + `BT ${begin(CAPTION)}${line(CAPTION.style, CAPTION.words)}ET `
  + '1 g '
  + MARKS_ON_BLACK.map(({ words, ...at }) => centred(words, at)).join('')

/**
 * What one label says, as PDF operators: service, sender, parcel, receiver, margin, tracking number and the bars of its serial.
 * Throws for anything but a sandbox tracking number.
 */
export function labelContent(label: LabelPaper): string {
  const { trackingNumber } = label
  assertSpecimen(trackingNumber)
  const { service, from, to, toPhone, weight, size, stack, goods } = wordingOf(label)
  return (
    CLIP
    + SERVICE_PLACE
    + line(FIELDS.service.style, service)
    + FROM_PLACE
    + lines(FIELDS.from.style, from)
    + ending(FIELDS.weight, weight)
    + ending(FIELDS.size, size)
    + TO_PLACE
    + lines(FIELDS.to.style, to)
    + (toPhone === '' ? '' : PHONE_FONT + line(FIELDS.toPhone.style, toPhone))
    + STACK_PLACE
    + lines(FIELDS.stack.style, [stack])
    + GOODS_PLACE
    + line(FIELDS.goods.style, goods)
    + `ET Q BT ${NUMBER_PLACE}(${groupTracking(trackingNumber)})' ET `
    + DRAW_BARS
    + serialBars(trackingNumber)
    + 'f Q'
  )
}

function begin({ style, x, y, leading }: Field): string {
  return paragraph(style, x, y, leading)
}

function lines(style: Style, wanted: readonly Line[]): string {
  return wanted.map(({ text, keep }) => line(style, text, keep)).join('')
}

function ending({ style, y }: Field, words: string): string {
  return rightAligned(style, PARCEL_RIGHT, y, words)
}

// Hollow letters: they stay light under an address on paper, and a thermal printer need not mix grey from dots.
function watermark(): string {
  const { words, size, angle, middle, y } = WATERMARK
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const along = textWidth('bold', words, size) / 2
  const up = (size * 0.718) / 2
  const left = round(middle - cos * along + sin * up)
  const base = round(y - sin * along - cos * up)
  const turn = [cos, sin, -sin, cos].map(part => part.toFixed(4)).join(' ')
  return `q 0.6 G 0.7 w BT 1 Tr /B ${size} Tf ${turn} ${left} ${base} Tm (${words}) Tj ET Q `
}

// Round letters reach a little beyond their width.
function withBleed({ x, y, width, height }: Box): Box {
  return { x: x - 2, y, width: width + 4, height }
}
