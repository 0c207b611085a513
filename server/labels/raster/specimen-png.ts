import { groupTracking } from '#contract/format.ts'
import { assertSandboxTracking } from '#server/carriers/sandbox/tracking.ts'
import { gs1Symbols, symbolBars } from '#server/labels/gs1-128.ts'
import type { LabelData } from '#server/labels/label-data.ts'
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
  RULES,
  SPECIMEN_TITLE,
  WATERMARK,
  TEXT_AREAS,
  type LabelField,
} from '#server/labels/layout.ts'
import { MODULE_WIDTH, SPECIMEN_ROUTING } from '#server/labels/specimen-barcode.ts'
import { labelWording, type SpecimenLine } from '#server/labels/wording.ts'
// A specimen as a picture: the ground, what was written for this label, then the form with its marks, which leaves nothing in its areas
// of what was there before, and at last the number.
import { BLACK, WHITE, type Ink } from './bitmap.ts'
import {
  DOTS_PER_METRE,
  inBoxes,
  newPage,
  paintBars,
  paintBox,
  paintOutline,
  paintRule,
  write,
  writeCentred,
  writeHollow,
  type Page,
} from './page.ts'
import { pngOf } from './png.ts'

// One dot wide and hollow, the word across the page is light enough to lie under an address, and no grey is made of dots.
const WATERMARK_DOTS = 1

// The form on white paper has its black dots, the one on black paper lacks its white ones. Drawing a label is done in one go, so one
// page serves all of them.
type Layers = { ground: Uint8Array; dark: Uint8Array; light: Uint8Array; page: Page }
let layers: Layers | undefined

// Made for the first label, so that a server starts without them.
function made(): Layers {
  return (layers ??= {
    ground: ground(),
    dark: form(WHITE),
    light: form(BLACK),
    page: newPage(WHITE, BLACK),
  })
}

/** One label, 812 x 1218 dots at 203.2 an inch, black and white. Throws for anything but a sandbox tracking number. */
export function specimenPng(label: LabelData): Buffer {
  const { trackingNumber } = label
  assertSandboxTracking(trackingNumber)
  const { page } = made()
  page.bitmap.bits.set(made().ground)
  writeWording(inBoxes(page, TEXT_AREAS), label)
  stampForm(page.bitmap.bits)
  writeCentred(page, {
    ...TRACKING_NUMBER_FIELD.style,
    text: groupTracking(trackingNumber),
    middle: PAGE.width / 2,
    y: TRACKING_NUMBER_FIELD.y,
  })
  paintBars(
    page,
    BARCODE_BOX,
    MODULE_WIDTH,
    symbolBars(gs1Symbols(SPECIMEN_ROUTING, trackingNumber)),
  )
  return pngOf(page.bitmap, SPECIMEN_TITLE, DOTS_PER_METRE)
}

/** Puts the form over the dots of a page. */
export function stampForm(bits: Uint8Array): void {
  const { dark, light } = made()
  for (let at = 0; at < bits.length; at++) bits[at] = (bits[at]! & light[at]!) | dark[at]!
}

function writeWording(onto: Page, label: LabelData): void {
  const { service, from, to, toPhone, weight, size, stack, goods } = labelWording(label)
  writeLines(onto, FIELDS.service, [whole(service)])
  writeLines(onto, FIELDS.from, from)
  for (const [field, text] of [
    [FIELDS.weight, weight],
    [FIELDS.size, size],
  ] as const) {
    write(onto, field.style, { x: PARCEL_RIGHT, y: field.y, ends: true }, text)
  }
  writeLines(onto, FIELDS.to, to)
  writeLines(onto, { ...FIELDS.toPhone, y: FIELDS.to.y - to.length * FIELDS.to.leading }, [
    whole(toPhone),
  ])
  writeLines(onto, FIELDS.stack, [stack])
  writeLines(onto, FIELDS.goods, [whole(goods)])
}

function writeLines(
  to: Page,
  { style, x, y, leading }: LabelField,
  lines: readonly SpecimenLine[],
): void {
  for (const [turn, { text, uncutEnd }] of lines.entries())
    write(to, style, { x, y: y - turn * leading }, text, uncutEnd)
}

const whole = (text: string): SpecimenLine => ({ text, uncutEnd: '' })

function ground(): Uint8Array {
  const under = newPage(WHITE, BLACK)
  writeHollow(under, { ...WATERMARK, face: 'bold' }, WATERMARK_DOTS)
  return under.bitmap.bits
}

function form(paper: Ink): Uint8Array {
  const over = newPage(paper, BLACK)
  const wiping = { ...over, ink: WHITE } as const
  for (const box of MARK_BOXES) paintBox(wiping, box)
  for (const { thick, box } of OUTLINES) paintOutline(over, thick, box)
  for (const rule of RULES) paintRule(over, rule)
  for (const box of BLACK_BOXES) paintBox(over, box)
  for (const words of MARKS_ON_WHITE) writeCentred(over, words)
  write(over, CAPTION.style, CAPTION, CAPTION.words)
  for (const words of MARKS_ON_BLACK) writeCentred(wiping, words)
  return over.bitmap.bits
}
