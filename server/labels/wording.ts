// The texts of a label in printable characters, the same in every format.
import { kindsOf, NO_OPTIONS } from '#contract/label-options.ts'
import type { OptionKind } from '#contract/label-options.ts'
import { latinText } from '#contract/label-text.ts'
import { fitText } from './helvetica.ts'
import type { LabelData, LabelAddress } from './label-data.ts'
import { ADDRESS_LINES, DENSE_LINES, FIELDS, SAMPLE_MARKS, type LabelField } from './layout.ts'
import type { TextStyle } from './pdf-operators.ts'

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
  toField: LabelField
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
  const fromPhone = toUpperPrintable(from.phone)
  const fromLines = labelAddressLines(from)
  if (fromPhone !== '') fromLines.push(cuttableLine(fromPhone))
  const toPhone = toUpperPrintable(to.phone)
  // Case is kept in the margin, where it may matter.
  const order = printableText(orderId)
  const before = joinWithDots(
    position ? `${position.index}/${position.total}` : '',
    printableText(sku),
  )
  const stack = joinWithDots(before, order)
  return {
    service: toUpperPrintable(label.serviceName),
    from: breakLongLines(fromLines, FIELDS.from.style, ADDRESS_LINES),
    ...recipientLines(labelAddressLines(to), toPhone === '' ? 0 : 1),
    toPhone,
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

/** Six lines, or eight smaller ones where a text would be cut. */
function recipientLines(
  lines: readonly SpecimenLine[],
  others: number,
): Pick<LabelWording, 'to' | 'toField'> {
  const { to: large, toDense: dense } = FIELDS
  const broken = breakLongLines(lines, large.style, ADDRESS_LINES - others)
  return broken.some(line => isCut(line, large.style))
    ? { to: breakLongLines(lines, large.style, DENSE_LINES - others), toField: dense }
    : { to: broken, toField: large }
}

/** Bold is widest: every format has the same lines. */
const isCut = ({ text, uncutEnd }: SpecimenLine, { size, maxWidth }: FieldStyle): boolean =>
  uncutEnd === '' && fitText('bold', text, size, maxWidth).text !== text

type FieldStyle = Pick<TextStyle, 'size' | 'maxWidth'>

/** Names and streets that would be cut are on two lines, while there are at most `most`. */
function breakLongLines(
  lines: readonly SpecimenLine[],
  style: FieldStyle,
  most: number,
): SpecimenLine[] {
  let spare = most - lines.length
  return lines.flatMap(line => {
    const { text } = line
    const space = spare > 0 && isCut(line, style) ? middleSpaceOf(text) : -1
    if (space < 0) return [line]
    spare -= 1
    return [text.slice(0, space), text.slice(space + 1)].map(cuttableLine)
  })
}

function middleSpaceOf(text: string): number {
  const middle = Math.floor(text.length / 2)
  const [before, after] = [text.lastIndexOf(' ', middle), text.indexOf(' ', middle)]
  if (before < 0 || after < 0) return Math.max(before, after)
  return middle - before <= after - middle ? before : after
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

/** Of dates in files: at 8 p.m. in New York it is tomorrow in UTC. */
export const FILE_TIME_ZONE = 'America/New_York'

const dateFormat = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone })
const DATE_OF_MOMENT = dateFormat(FILE_TIME_ZONE)
const DATE_OF_DAY = dateFormat('UTC')

/** 'Nov 20, 2026'. */
export const printedDate = (at: Date): string => DATE_OF_MOMENT.format(at)

/** 'Nov 20, 2026' for '2026-11-20'. */
export const printedDay = (day: string): string => DATE_OF_DAY.format(new Date(day))

function joinWithDots(...parts: string[]): string {
  return parts.filter(part => part !== '').join(' \xb7 ')
}
