// The layout of a specimen in every format: a 4 x 6 inch label that cannot be mistaken for postage.
// Points from the lower left corner. It has no indicium, permit, emblem or square code.
import { round, type Box, type TextStyle } from './pdf-operators.ts'
import { BARCODE_MODULES, MODULE_WIDTH } from './specimen-barcode.ts'

/** 4 x 6 inches. */
export const PAGE = { width: 288, height: 432 }

/** Title of a file of specimens. */
export const SPECIMEN_TITLE = 'SAMPLE label, not valid for postage'

/** Marks on every page; `word` is printed before the service and across the page. */
export const SAMPLE_MARKS = {
  payment: 'SAMPLE – NOT VALID FOR POSTAGE',
  warning: 'NO POSTAGE PAID. DO NOT MAIL.',
  tracking: 'SAMPLE TRACKING # – NOT A LIVE NO.',
  word: 'SAMPLE',
}

// 9 pt from the edge, which thermal printers do not reach.
const FRAME: Box = { x: 9, y: 9, width: 270, height: 414 }
const ICON: Box = { x: 9, y: 351, width: 72, height: 72 }
const PAYMENT: Box = { x: 90, y: 360, width: 181, height: 54 }
const SERVICE_MARK: Box = { x: 9, y: 319, width: 72, height: 32 }
const SERVICE_BASELINE = 329.6
const TO_BASELINE = 239
const BARCODE = { top: 157, floor: 50 }

// Boxes of texts by customers and administrators. They touch no mark.
const SERVICE: Box = { x: 90, y: 321, width: 181, height: 28 }
const FROM: Box = { x: 17, y: 251, width: 172, height: 62 }
const PARCEL: Box = { x: 195, y: 251, width: 76, height: 62 }
const TO: Box = { x: 62, y: 162, width: 209, height: 88 }
const MARGIN: Box = { x: 17, y: 12, width: 254, height: 34 }

export const TEXT_AREAS: readonly Box[] = [SERVICE, FROM, PARCEL, TO, MARGIN]

/** `y` is the baseline of the first line. */
export type LabelField = { style: TextStyle; x: number; y: number; leading: number }

/**
 * Fields by the names of LabelWording. `toDense`: of recipients whose lines would be cut. `weight`
 * and `size` end at `PARCEL_RIGHT`.
 */
export const FIELDS = {
  service: {
    style: { face: 'bold', size: 15, maxWidth: SERVICE.width },
    x: SERVICE.x,
    y: SERVICE_BASELINE,
    leading: 0,
  },
  from: {
    style: { face: 'regular', size: 8, maxWidth: FROM.width },
    x: FROM.x,
    y: 303.5,
    leading: 9.8,
  },
  weight: {
    style: { face: 'bold', size: 14, maxWidth: PARCEL.width },
    x: PARCEL.x,
    y: 300.5,
    leading: 0,
  },
  size: {
    style: { face: 'regular', size: 8, maxWidth: PARCEL.width },
    x: PARCEL.x,
    y: 289,
    leading: 0,
  },
  options: {
    style: { face: 'bold', size: 7, maxWidth: PARCEL.width },
    x: PARCEL.x,
    y: 275.5,
    leading: 7.4,
  },
  to: {
    style: { face: 'bold', size: 12, maxWidth: TO.width },
    x: TO.x,
    y: TO_BASELINE,
    leading: 14.3,
  },
  toDense: {
    style: { face: 'bold', size: 10, maxWidth: TO.width },
    x: TO.x,
    y: TO_BASELINE,
    leading: 10.7,
  },
  stack: {
    style: { face: 'bold', size: 9, maxWidth: MARGIN.width },
    x: MARGIN.x,
    y: 34,
    leading: 0,
  },
  goods: {
    style: { face: 'regular', size: 8, maxWidth: MARGIN.width },
    x: MARGIN.x,
    y: 21,
    leading: 0,
  },
} satisfies Record<string, LabelField>

/** Below the lines of the recipient. */
export const PHONE_STYLE: TextStyle = { face: 'regular', size: 8, maxWidth: TO.width }

/** In FROM and in TO, with the phone; dense in TO. */
export const ADDRESS_LINES = 6
export const DENSE_LINES = 8

export const PARCEL_RIGHT = PARCEL.x + PARCEL.width

/** The tracking number, in groups of four, centered. */
export const TRACKING_NUMBER_FIELD: { style: TextStyle; y: number } = {
  style: { face: 'bold', size: 11, maxWidth: FRAME.width },
  y: 60.5,
}

/** Centered, with quiet zones of at least ten modules on both sides. */
export const BARCODE_BOX = {
  x: round((PAGE.width - BARCODE_MODULES * MODULE_WIDTH) / 2),
  y: 78,
  height: 55,
}

/** Outlined boxes. */
export const OUTLINES: readonly { thick: number; box: Box }[] = [
  { thick: 1.5, box: FRAME },
  { thick: 1, box: PAYMENT },
]

export type Rule = { thickness: number; from: [x: number, y: number]; to: [x: number, y: number] }

export const RULES: readonly Rule[] = [
  {
    thickness: 1.5,
    from: [ICON.x + ICON.width, ICON.y],
    to: [ICON.x + ICON.width, ICON.y + ICON.height],
  },
  fullWidthRule(2, ICON.y),
  fullWidthRule(2, SERVICE_MARK.y),
  fullWidthRule(3, BARCODE.top),
  fullWidthRule(3, BARCODE.floor),
]

/** The pale word across the page: center, size, and angle in radians. */
export const WATERMARK = {
  text: SAMPLE_MARKS.word,
  size: 60,
  angle: 0.29,
  middle: centerX(FRAME),
  y: 220,
}

/** Black boxes with white text. */
export const BLACK_BOXES: readonly Box[] = [
  SERVICE_MARK,
  { ...PAYMENT, y: PAYMENT.y + 27, height: 27 },
]

/** Fixed text around a center; `y` is its baseline. */
export type FixedText = {
  text: string
  face: TextStyle['face']
  size: number
  middle: number
  y: number
}

export const MARKS_ON_WHITE: readonly FixedText[] = [
  { text: 'S', face: 'bold', size: 60, middle: centerX(ICON), y: 365.5 },
  { text: SAMPLE_MARKS.warning, face: 'bold', size: 9.4, middle: centerX(PAYMENT), y: 374.5 },
  {
    text: 'Sandbox print: no carrier expects this parcel.',
    face: 'regular',
    size: 6.6,
    middle: centerX(PAYMENT),
    y: 365,
  },
  { text: SAMPLE_MARKS.tracking, face: 'bold', size: 10, middle: centerX(FRAME), y: 142 },
]

export const MARKS_ON_BLACK: readonly FixedText[] = [
  { text: SAMPLE_MARKS.payment, face: 'bold', size: 9.4, middle: centerX(PAYMENT), y: 397 },
  {
    text: SAMPLE_MARKS.word,
    face: 'bold',
    size: 15,
    middle: centerX(SERVICE_MARK),
    y: SERVICE_BASELINE,
  },
]

/** The caption before the recipient. */
export const CAPTION: LabelField & { words: string } = {
  words: 'SHIP TO:',
  style: { face: 'bold', size: 8, maxWidth: TO.x - FROM.x },
  x: FROM.x,
  y: TO_BASELINE,
  leading: 0,
}

/**
 * Areas of the marks, which no customer text changes: top of the page, SAMPLE, the barcode between
 * its rules.
 */
export const MARK_BOXES: readonly Box[] = [
  { x: FRAME.x, y: ICON.y, width: FRAME.width, height: ICON.height },
  SERVICE_MARK,
  { x: FRAME.x, y: BARCODE.floor, width: FRAME.width, height: BARCODE.top - BARCODE.floor },
]

function fullWidthRule(thick: number, y: number): Rule {
  return { thickness: thick, from: [FRAME.x, y], to: [FRAME.x + FRAME.width, y] }
}

function centerX(box: Box): number {
  return box.x + box.width / 2
}
