// What one label says, line by line, in what can be printed: the same on every kind of paper.
import { latinText } from '#contract/latin.ts'
import { SAMPLE_MARKS } from './layout.ts'
import type { LabelPaper, PaperAddress } from './paper.ts'

/** A line as it is printed. `keep` is its end, which is never cut: the ZIP after a city, or a number to find the order by. */
export type Line = { text: string; keep: string }

/** Printable ASCII and the middle dot; no words of paid postage. Lines without words are left out of lists and are '' elsewhere. */
export type Wording = {
  service: string
  from: Line[]
  to: Line[]
  toPhone: string
  weight: string
  size: string
  // The margin is for the packer: which label of the stack and for which order, then what goes in.
  stack: Line
  goods: string
}

export function wordingOf(label: LabelPaper): Wording {
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
  const phone = print(from.phone)
  // Letter case is kept in the margin, it may matter.
  const order = plain(orderId)
  const before = dotted(position ? `${position.index}/${position.total}` : '', plain(sku))
  const stack = dotted(before, order)
  return {
    service: print(label.serviceName),
    from: phone === '' ? address(from) : [...address(from), whole(phone)],
    to: address(to),
    toPhone: print(to.phone),
    weight: `${hundredths(weightLb)} LB`,
    size: `${hundredths(lengthIn)} X ${hundredths(widthIn)} X ${hundredths(heightIn)} IN`,
    stack: { text: stack, keep: stack.slice(before.length) },
    goods: dotted(quantity ? `Qty ${quantity}` : '', plain(description)),
  }
}

function address({ name, company, street1, street2, city, state, zip }: PaperAddress): Line[] {
  // The state and ZIP are what a parcel travels by: a long city gives way to them.
  const end = print(` ${state} ${zip}`)
  const lines = [name, company, street1, street2]
    .map(print)
    .filter(text => text !== '')
    .map(whole)
  return [...lines, { text: `${print(city)} ${end}`, keep: ` ${end}` }]
}

const whole = (text: string): Line => ({ text, keep: '' })

const hundredths = (value: number): number => Math.round(value * 100) / 100

// A text of which nothing can be printed fails its row long before paper; here it merely leaves no line.
function print(written: string | null | undefined): string {
  return plain(written).toUpperCase()
}

// What only paid postage says. A service, a company or a parcel may be called so; on a specimen it is not to be read.
const PAID_WORDS =
  /\bU\W*S\W*POSTAGE\b(\W*PAID\b)?|\bPOSTAGE\b[^A-Z]*(AND\W*FEES\W*)?PAID\b|\bPERMIT\W*((NO|NUMBER)\W*)?\d+/gi

const plain = (written: string | null | undefined): string =>
  written ? latinText(written).replace(PAID_WORDS, SAMPLE_MARKS.word) : ''

function dotted(...parts: string[]): string {
  return parts.filter(part => part !== '').join(' \xb7 ')
}
