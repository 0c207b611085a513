/**
 * A specimen as PNG, drawn as SVG. Layers, bottom to top: watermark, customer texts clipped to
 * their boxes, the form with its marks, which first paints its areas white, then number and
 * barcode.
 */
import { groupTracking } from '#contract/format.ts'
import { assertSandboxTracking } from '#server/carriers/sandbox/tracking.ts'
import type { LabelData } from './label-data.ts'
import {
  BARCODE_BOX,
  BLACK_BOXES,
  CAPTION,
  FIELDS,
  MARK_BOXES,
  MARKS_ON_BLACK,
  MARKS_ON_WHITE,
  OUTLINES,
  PAGE,
  PARCEL_RIGHT,
  PHONE_STYLE,
  RULES,
  SPECIMEN_TITLE,
  TEXT_AREAS,
  TRACKING_NUMBER_FIELD,
  WATERMARK,
  type LabelField,
} from './layout.ts'
import { rasterize } from './rasterize.ts'
import {
  svgBars,
  svgBox,
  svgCentered,
  clipSvgToBoxes,
  svgDocument,
  svgHollow,
  svgOutline,
  svgRule,
  svgText,
} from './svg.ts'
import { labelWording, type SpecimenLine } from './wording.ts'

/**
 * 812 x 1218 dots in black and white, about 14 KB. Rejects anything but a sandbox tracking number.
 */
export const specimenPng = async (label: LabelData): Promise<Buffer> =>
  rasterize(specimenSvg(label), SPECIMEN_TITLE)

/** One unit per dot. */
export function specimenSvg(label: LabelData): string {
  const { trackingNumber } = label
  assertSandboxTracking(trackingNumber)
  return svgDocument(
    svgHollow({ ...WATERMARK, face: 'bold' }, WATERMARK_DOTS)
      + clipSvgToBoxes(TEXT_AREAS, wordingSvg(label))
      + specimenForm()
      + svgCentered({
        ...TRACKING_NUMBER_FIELD.style,
        text: groupTracking(trackingNumber),
        middle: PAGE.width / 2,
        y: TRACKING_NUMBER_FIELD.y,
      })
      + svgBars(trackingNumber, BARCODE_BOX),
  )
}

/** Thin enough under an address, thick enough without gaps in black and white. */
const WATERMARK_DOTS = 1.5

/** Lines, boxes and marks of every specimen; opaque at the marks. */
export const specimenForm = (): string =>
  MARK_BOXES.map(box => svgBox(box, '#fff')).join('')
  + OUTLINES.map(({ thick, box }) => svgOutline(thick, box)).join('')
  + RULES.map(svgRule).join('')
  + BLACK_BOXES.map(box => svgBox(box)).join('')
  + MARKS_ON_WHITE.map(mark => svgCentered(mark)).join('')
  + svgText(CAPTION.style, CAPTION, CAPTION.words)
  + MARKS_ON_BLACK.map(mark => svgCentered(mark, '#fff')).join('')

function wordingSvg(label: LabelData): string {
  const { service, from, to, toField, toPhone, weight, size, options, stack, goods } =
    labelWording(label)
  return (
    fieldSvg(FIELDS.service, [cuttable(service)])
    + fieldSvg(FIELDS.from, from)
    + svgText(FIELDS.weight.style, { ...FIELDS.weight, x: PARCEL_RIGHT, align: 'right' }, weight)
    + svgText(FIELDS.size.style, { ...FIELDS.size, x: PARCEL_RIGHT, align: 'right' }, size)
    + options.map(({ text }, turn) => optionSvg(text, turn)).join('')
    + fieldSvg(toField, to)
    + fieldSvg({ ...toField, style: PHONE_STYLE }, [cuttable(toPhone)], to.length)
    + fieldSvg(FIELDS.stack, [stack])
    + fieldSvg(FIELDS.goods, [cuttable(goods)])
  )
}

function optionSvg(text: string, turn: number): string {
  const { style, y, leading } = FIELDS.options
  return svgText(style, { x: PARCEL_RIGHT, y: y - turn * leading, align: 'right' }, text)
}

/** `after`: lines already used above. */
const fieldSvg = (
  { style, x, y, leading }: LabelField,
  lines: readonly SpecimenLine[],
  after = 0,
): string =>
  lines
    .map(({ text, uncutEnd }, turn) =>
      svgText(style, { x, y: y - (after + turn) * leading }, text, uncutEnd),
    )
    .join('')

const cuttable = (text: string): SpecimenLine => ({ text, uncutEnd: '' })
