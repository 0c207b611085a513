// The texts of a label in printable characters, the same in every format.
import { kindsOf, NO_OPTIONS } from '#contract/label-options.ts'
import type { OptionKind } from '#contract/label-options.ts'
import { latinText } from '#contract/label-text.ts'
import type { LabelData, LabelAddress } from './label-data.ts'
import { SAMPLE_MARKS } from './layout.ts'

/** `uncutEnd` is never cut: the ZIP after a city, or a number to find the order by. */
export type SpecimenLine = { text: string; uncutEnd: string }

/**
 * Printable ASCII and the middle dot, without words of paid postage. Missing lines are left out of
 * lists and '' elsewhere.
 */
export type LabelWording = {
  service: string
  from: SpecimenLine[]
  to: SpecimenLine[]
  toPhone: string
  weight: string
  size: string
  /** What the label asks for beside its service, below the size. */
  options: SpecimenLine[]
  // For the packer: position in the stack and order, then the contents.
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
  // Case is kept in the margin, where it may matter.
  const order = printableText(orderId)
  const before = joinWithDots(
    position ? `${position.index}/${position.total}` : '',
    printableText(sku),
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
    options: kindsOf(label.options ?? NO_OPTIONS).flatMap(kind =>
      OPTION_LINES[kind].map(cuttableLine),
    ),
    stack: { text: stack, uncutEnd: stack.slice(before.length) },
    goods: joinWithDots(quantity ? `Qty ${quantity}` : '', printableText(description)),
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
  // State and ZIP route a parcel: a long city is cut before them.
  const end = toUpperPrintable(` ${state} ${zip}`)
  const lines = [name, company, street1, street2]
    .map(toUpperPrintable)
    .filter(text => text !== '')
    .map(cuttableLine)
  return [...lines, { text: `${toUpperPrintable(city)} ${end}`, uncutEnd: ` ${end}` }]
}

/** Name, company, street and place; without lines that have no printable text. */
export const printableAddress = (address: LabelAddress): string[] =>
  [
    address.name,
    address.company,
    address.street1,
    address.street2,
    `${address.city}, ${address.state} ${address.zip}`,
  ]
    .map(line => printableText(line))
    .filter(line => line !== '')

const OPTION_LINES: Record<OptionKind, [string, string]> = {
  signature: ['SIGNATURE', 'REQUIRED'],
  adult: ['ADULT SIGNATURE', 'REQUIRED, 21+'],
  saturday: ['SATURDAY', 'DELIVERY'],
}

const cuttableLine = (text: string): SpecimenLine => ({ text, uncutEnd: '' })

const roundToHundredths = (value: number): number => Math.round(value * 100) / 100

// Text without a printable form fails validation much earlier; here it leaves an empty line.
function toUpperPrintable(written: string | null | undefined): string {
  return printableText(written).toUpperCase()
}

// Words of paid postage. A service, company or parcel name may contain them; a specimen must not
// show them.
const POSTAGE_WORDS =
  /\bU\W*S\W*POSTAGE\b(\W*PAID\b)?|\bPOSTAGE\b[^A-Z]*(AND\W*FEES\W*)?PAID\b|\bPERMIT\W*((NO|NUMBER)\W*)?\d+/gi

/** In printable ASCII, without words of paid postage, which no print of ours has. */
export const printableText = (written: string | null | undefined): string =>
  written ? latinText(written).replace(POSTAGE_WORDS, SAMPLE_MARKS.word) : ''

function joinWithDots(...parts: string[]): string {
  return parts.filter(part => part !== '').join(' \xb7 ')
}
