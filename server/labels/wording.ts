// What one label says, line by line, in what can be printed: the same on every kind of paper.
import { latinText } from '#contract/label-text.ts'
import type { LabelData, LabelAddress } from './label-data.ts'
import { SAMPLE_MARKS } from './layout.ts'

/** A line as it is printed. `keep` is its end, which is never cut: the ZIP after a city, or a number to find the order by. */
export type SpecimenLine = { text: string; uncutEnd: string }

/** Printable ASCII and the middle dot; no words of paid postage. Lines without words are left out of lists and are '' elsewhere. */
export type LabelWording = {
  service: string
  from: SpecimenLine[]
  to: SpecimenLine[]
  toPhone: string
  weight: string
  size: string
  // The margin is for the packer: which label of the stack and for which order, then what goes in.
  stack: SpecimenLine
  goods: string
}

export function labelWording(label: LabelData): LabelWording {
  const {
    from,
    to,
    weightLb,
    lengthIn,
    widthIn,
    heightIn,
    position,
    sku,
    orderId,
    quantity,
    description,
  } = label
  const phone = toUpperPrintable(from.phone)
  // Letter case is kept in the margin, it may matter.
  const order = toPrintableSample(orderId)
  const before = joinWithDots(
    position ? `${position.index}/${position.total}` : '',
    toPrintableSample(sku),
  )
  const stack = joinWithDots(before, order)
  return {
    service: toUpperPrintable(label.serviceName),
    from:
      phone === '' ? labelAddressLines(from) : [...labelAddressLines(from), cuttableLine(phone)],
    to: labelAddressLines(to),
    toPhone: toUpperPrintable(to.phone),
    weight: `${roundToHundredths(weightLb)} LB`,
    size: `${roundToHundredths(lengthIn)} X ${roundToHundredths(widthIn)} X ${roundToHundredths(heightIn)} IN`,
    stack: { text: stack, uncutEnd: stack.slice(before.length) },
    goods: joinWithDots(quantity ? `Qty ${quantity}` : '', toPrintableSample(description)),
  }
}

function labelAddressLines({
  name,
  company,
  street1,
  street2,
  city,
  state,
  zip,
}: LabelAddress): SpecimenLine[] {
  // The state and ZIP are what a parcel travels by: a long city gives way to them.
  const end = toUpperPrintable(` ${state} ${zip}`)
  const lines = [name, company, street1, street2]
    .map(toUpperPrintable)
    .filter(text => text !== '')
    .map(cuttableLine)
  return [...lines, { text: `${toUpperPrintable(city)} ${end}`, uncutEnd: ` ${end}` }]
}

const cuttableLine = (text: string): SpecimenLine => ({ text, uncutEnd: '' })

const roundToHundredths = (value: number): number => Math.round(value * 100) / 100

// A text of which nothing can be printed fails its row long before paper; here it merely leaves no line.
function toUpperPrintable(written: string | null | undefined): string {
  return toPrintableSample(written).toUpperCase()
}

// What only paid postage says. A service, a company or a parcel may be called so; on a specimen it is not to be read.
const POSTAGE_WORDS =
  /\bU\W*S\W*POSTAGE\b(\W*PAID\b)?|\bPOSTAGE\b[^A-Z]*(AND\W*FEES\W*)?PAID\b|\bPERMIT\W*((NO|NUMBER)\W*)?\d+/gi

const toPrintableSample = (written: string | null | undefined): string =>
  written ? latinText(written).replace(POSTAGE_WORDS, SAMPLE_MARKS.word) : ''

function joinWithDots(...parts: string[]): string {
  return parts.filter(part => part !== '').join(' \xb7 ')
}
