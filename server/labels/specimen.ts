// How a specimen looks: a 4 x 6 inch shipping label on which nothing can be mistaken for postage. A page has three layers: the
// ground (lines, the pale SAMPLE, the bars that never change), then what this label says, then the marks, so that no text of a
// customer can cover them. No indicium, no permit, no emblem and no square code occurs anywhere.
import { groupTracking } from '#contract/format.ts'
import { centred, line, paragraph, rect, rightAligned, round, rule, type Box, type Style } from './draw.ts'
import { textWidth } from './helvetica.ts'
import { latinText } from '#contract/latin.ts'
import type { LabelPaper, PaperAddress } from './paper.ts'
import { BARCODE_MODULES, CONSTANT_BARS, MODULE, serialBars } from './specimen-bars.ts'
import { assertSpecimen, sandboxTracking } from '#server/carriers/sandbox/tracking.ts'

/** Points: 4 x 6 inches. */
export const PAGE = { width: 288, height: 432 }

/** Title of a file of specimens. */
export const SPECIMEN_TITLE = 'SAMPLE label, not valid for postage'

/** What every page says whatever its label says; `word` stands before the service and across the page. */
export const SAMPLE_MARKS = {
  payment: 'SAMPLE – NOT VALID FOR POSTAGE',
  warning: 'NO POSTAGE PAID. DO NOT MAIL.',
  tracking: 'SAMPLE TRACKING # – NOT A LIVE NO.',
  word: 'SAMPLE',
}

// Everything stays 9 pt off the edge, which thermal printers do not reach.
const FRAME = { x: 9, y: 9, width: 270, height: 414 }
const ICON = { x: 9, y: 351, width: 72, height: 72 }
const PAYMENT = { x: 90, y: 360, width: 181, height: 54 }
const SERVICE_MARK = { x: 9, y: 319, width: 72, height: 32 }
const SERVICE_BASELINE = 329.6
const TO_BASELINE = 239
const BARCODE = { top: 157, floor: 50 }

// The boxes of what a customer or an administrator wrote. They touch no mark, and nothing is drawn outside of them:
// the width table could be wrong about a viewer's own Helvetica, the clipping cannot.
const SERVICE = { x: 90, y: 321, width: 181, height: 28 }
const FROM = { x: 17, y: 251, width: 172, height: 62 }
const PARCEL = { x: 195, y: 284, width: 76, height: 29 }
const TO = { x: 62, y: 162, width: 209, height: 88 }
const MARGIN = { x: 17, y: 12, width: 254, height: 34 }

const SERVICE_STYLE: Style = { face: 'bold', size: 15, room: SERVICE.width }
const FROM_STYLE: Style = { face: 'regular', size: 8, room: FROM.width }
const WEIGHT_STYLE: Style = { face: 'bold', size: 14, room: PARCEL.width }
const SIZE_STYLE: Style = { face: 'regular', size: 8, room: PARCEL.width }
const TO_STYLE: Style = { face: 'bold', size: 12, room: TO.width }
const PHONE_STYLE: Style = { face: 'regular', size: 8, room: TO.width }
const CAPTION_STYLE: Style = { face: 'bold', size: 8, room: TO.x - FROM.x }
const STACK_STYLE: Style = { face: 'bold', size: 9, room: MARGIN.width }
const GOODS_STYLE: Style = { face: 'regular', size: 8, room: MARGIN.width }
const NUMBER_STYLE: Style = { face: 'bold', size: 11, room: FRAME.width }

// What never changes about the text of a label, put together once.
const CLIP = `q ${[SERVICE, FROM, PARCEL, TO, MARGIN].map(withBleed).map(rect).join('')}W n BT `
const SERVICE_PLACE = paragraph(SERVICE_STYLE, SERVICE.x, SERVICE_BASELINE, 0)
const FROM_PLACE = paragraph(FROM_STYLE, FROM.x, 303.5, 9.8)
const TO_PLACE = paragraph(TO_STYLE, TO.x, TO_BASELINE, 14.3)
const PHONE_FONT = '/R 8 Tf '
const STACK_PLACE = paragraph(STACK_STYLE, MARGIN.x, 34, 0)
const GOODS_PLACE = paragraph(GOODS_STYLE, MARGIN.x, 21, 0)
// Digits are all of one width, so every number begins at the same place.
const NUMBER_WIDTH = textWidth('bold', groupTracking(sandboxTracking(0)), NUMBER_STYLE.size)
const NUMBER_PLACE = paragraph(NUMBER_STYLE, round((PAGE.width - NUMBER_WIDTH) / 2), 60.5, 0)
const BARS = { x: round((PAGE.width - BARCODE_MODULES * MODULE) / 2), y: 78, height: 55 }
const DRAW_BARS = `q ${MODULE} 0 0 ${BARS.height} ${BARS.x} ${BARS.y} cm `

/** The lines, the pale SAMPLE and the constant bars: drawn under everything. */
export const GROUND =
  `1.5 w ${rect(FRAME)}S 1 w ${rect(PAYMENT)}S ` +
  rule(1.5, [ICON.x + ICON.width, ICON.y], [ICON.x + ICON.width, ICON.y + ICON.height]) +
  across(2, ICON.y) + across(2, SERVICE_MARK.y) + across(3, BARCODE.top) + across(3, BARCODE.floor) +
  watermark() +
  DRAW_BARS + CONSTANT_BARS + 'f Q'

/** The words that make it a specimen: drawn over everything. */
export const MARKS =
  `${rect(SERVICE_MARK)}${rect({ ...PAYMENT, y: PAYMENT.y + 27, height: 27 })}f ` +
  centred('S', { face: 'bold', size: 60, middle: middle(ICON), y: 365.5 }) +
  centred(SAMPLE_MARKS.warning, { face: 'bold', size: 9.4, middle: middle(PAYMENT), y: 374.5 }) +
  centred('Sandbox print: no carrier expects this parcel.', { face: 'regular', size: 6.6, middle: middle(PAYMENT), y: 365 }) +
  centred(SAMPLE_MARKS.tracking, { face: 'bold', size: 10, middle: middle(FRAME), y: 142 }) +
  `BT ${paragraph(CAPTION_STYLE, FROM.x, TO_BASELINE, 0)}${line(CAPTION_STYLE, 'SHIP TO:')}ET ` +
  '1 g ' +
  centred(SAMPLE_MARKS.payment, { face: 'bold', size: 9.4, middle: middle(PAYMENT), y: 397 }) +
  centred(SAMPLE_MARKS.word, { face: 'bold', size: 15, middle: middle(SERVICE_MARK), y: SERVICE_BASELINE })

/**
 * What one label says, as PDF operators: service, sender, parcel, receiver, margin, tracking number and the bars of its serial.
 * Throws for anything but a sandbox tracking number.
 */
export function labelContent(label: LabelPaper): string {
  const { trackingNumber } = label
  assertSpecimen(trackingNumber)
  return CLIP + SERVICE_PLACE + line(SERVICE_STYLE, print(label.serviceName)) +
    sender(label.from) + parcel(label) + receiver(label.to) + margin(label) +
    `ET Q BT ${NUMBER_PLACE}(${groupTracking(trackingNumber)})' ET ` +
    DRAW_BARS + serialBars(trackingNumber) + 'f Q'
}

function sender(from: PaperAddress): string {
  return FROM_PLACE + address(FROM_STYLE, from) + line(FROM_STYLE, print(from.phone))
}

function receiver(to: PaperAddress): string {
  const phone = print(to.phone)
  return TO_PLACE + address(TO_STYLE, to) + (phone === '' ? '' : PHONE_FONT + line(PHONE_STYLE, phone))
}

function address(style: Style, { name, company, street1, street2, city, state, zip }: PaperAddress): string {
  // The state and ZIP are what a parcel travels by: a long city gives way to them.
  const end = print(` ${state} ${zip}`)
  return line(style, print(name)) + line(style, print(company)) + line(style, print(street1)) + line(style, print(street2)) +
    line(style, `${print(city)} ${end}`, ` ${end}`)
}

function parcel({ weightLb, lengthIn, widthIn, heightIn }: LabelPaper): string {
  const right = PARCEL.x + PARCEL.width
  return rightAligned(WEIGHT_STYLE, right, 300.5, `${round(weightLb)} LB`) +
    rightAligned(SIZE_STYLE, right, 289, `${round(lengthIn)} X ${round(widthIn)} X ${round(heightIn)} IN`)
}

// The margin is for the packer: which label of the stack, what goes in, for which order. Letter case is kept, it may matter.
function margin({ position, sku, orderId, quantity, description }: LabelPaper): string {
  const order = latinText(orderId ?? '')
  const before = dotted(position ? `${position.index}/${position.total}` : '', latinText(sku ?? ''))
  const stack = dotted(before, order)
  const goods = dotted(quantity ? `Qty ${quantity}` : '', latinText(description ?? ''))
  return STACK_PLACE + line(STACK_STYLE, stack, stack.slice(before.length)) + GOODS_PLACE + line(GOODS_STYLE, goods)
}

// Hollow letters: they stay light under an address on paper, and a thermal printer need not mix grey from dots.
function watermark(): string {
  const size = 60
  const angle = 0.29
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const along = textWidth('bold', SAMPLE_MARKS.word, size) / 2
  const up = size * 0.718 / 2
  const x = round(middle(FRAME) - cos * along + sin * up)
  const y = round(220 - sin * along - cos * up)
  const turn = [cos, sin, -sin, cos].map(part => part.toFixed(4)).join(' ')
  return `q 0.6 G 0.7 w BT 1 Tr /B ${size} Tf ${turn} ${x} ${y} Tm (${SAMPLE_MARKS.word}) Tj ET Q `
}

function across(thick: number, y: number): string {
  return rule(thick, [FRAME.x, y], [FRAME.x + FRAME.width, y])
}

// Round letters reach a little beyond their width.
function withBleed({ x, y, width, height }: Box): Box {
  return { x: x - 2, y, width: width + 4, height }
}

function middle(box: Box): number {
  return box.x + box.width / 2
}

// A text of which nothing can be printed fails its row long before paper; here it merely leaves no line.
function print(written: string | null | undefined): string {
  return written ? latinText(written).toUpperCase() : ''
}

function dotted(...parts: string[]): string {
  return parts.filter(part => part !== '').join(' \xb7 ')
}
