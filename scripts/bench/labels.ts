/**
 * Compares the label writer with pdfkit, the usual PDF library of Node: same marks and data, in
 * turns in one process. Target: at least 6 times as fast, at most half the bytes.
 */
import { createRequire } from 'node:module'
import { groupTracking } from '#contract/format.ts'
import { labelText } from '#contract/label-text.ts'
import { sandboxTracking } from '#server/carriers/sandbox/tracking.ts'
import { gs1Symbols, symbolBars } from '#server/labels/gs1-128.ts'
import type { LabelData } from '#server/labels/label-data.ts'
import { PAGE, SAMPLE_MARKS } from '#server/labels/layout.ts'
import { MODULE_WIDTH, SPECIMEN_ROUTING } from '#server/labels/specimen-barcode.ts'
import { writeSpecimenPdf } from '#server/labels/specimen-pdf.ts'

/** Ratios are Evenpost's value divided by pdfkit's. */
export type LabelBench = {
  labels: number
  evenpost: LabelThroughput
  pdfkit: LabelThroughput
  ratio: { speed: number; bytes: number }
}
type LabelThroughput = { perSecond: number; bytesPerLabel: number }

/** The best of three rounds each, after one to warm up. */
export async function benchLabels(labels = 10_000): Promise<LabelBench> {
  const stack = Array.from({ length: labels }, (_, turn) => example(turn + 1, labels))
  await writeWithEvenpost(stack)
  await writeWithPdfkit(stack.slice(0, Math.ceil(labels / 10)))
  const evenpost: LabelThroughput[] = []
  const pdfkit: LabelThroughput[] = []
  for (let round = 0; round < 3; round++) {
    evenpost.push(await measure(labels, () => writeWithEvenpost(stack)))
    pdfkit.push(await measure(labels, () => writeWithPdfkit(stack)))
  }
  const [best, other] = [fastestRun(evenpost), fastestRun(pdfkit)]
  const ratio = {
    speed: best.perSecond / other.perSecond,
    bytes: best.bytesPerLabel / other.bytesPerLabel,
  }
  return { labels, evenpost: best, pdfkit: other, ratio }
}

async function measure(labels: number, write: () => Promise<number>): Promise<LabelThroughput> {
  const start = performance.now()
  const bytes = await write()
  return { perSecond: (labels * 1000) / (performance.now() - start), bytesPerLabel: bytes / labels }
}

const fastestRun = (rounds: LabelThroughput[]) =>
  rounds.reduce((one, other) => (other.perSecond > one.perSecond ? other : one))

async function writeWithEvenpost(stack: LabelData[]): Promise<number> {
  const { bytes } = await writeSpecimenPdf(stack, { write() {} })
  return bytes
}

// The used part of pdfkit, which has no types.
type PdfkitDocument = {
  addPage(): PdfkitDocument
  font(name: string): PdfkitDocument
  fontSize(size: number): PdfkitDocument
  text(words: string, x: number, y: number, options: { lineBreak: false }): PdfkitDocument
  rect(x: number, y: number, width: number, height: number): PdfkitDocument
  fill(colour?: string): PdfkitDocument
  lineWidth(width: number): PdfkitDocument
  moveTo(x: number, y: number): PdfkitDocument
  lineTo(x: number, y: number): PdfkitDocument
  stroke(colour?: string): PdfkitDocument
  fillColor(colour: string): PdfkitDocument
  rotate(angle: number, options: object): PdfkitDocument
  save(): PdfkitDocument
  restore(): PdfkitDocument
  on(event: string, heard: (chunk: Buffer) => void): PdfkitDocument
  end(): void
}

function writeWithPdfkit(stack: LabelData[]): Promise<number> {
  const Document = createRequire(import.meta.url)('pdfkit') as new (
    options: object,
  ) => PdfkitDocument
  const document = new Document({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    autoFirstPage: false,
  })
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  let bytes = 0
  document.on('data', chunk => (bytes += chunk.length))
  document.on('end', () => resolve(bytes))
  document.on('error', reject)
  for (const label of stack) drawWithPdfkit(document.addPage(), label)
  document.end()
  return promise
}

function drawWithPdfkit(page: PdfkitDocument, label: LabelData): void {
  const say = (words: string, size: number, x: number, y: number, bold = true) =>
    page
      .font(bold ? 'Helvetica-Bold' : 'Helvetica')
      .fontSize(size)
      .text(words, x, y, { lineBreak: false })
  const line = (thick: number, y: number) =>
    page.lineWidth(thick).moveTo(9, y).lineTo(279, y).stroke()
  const { from, to } = label
  page.lineWidth(1.5).rect(9, 9, 270, 414).stroke().lineWidth(1).rect(90, 18, 181, 54).stroke()
  page.rect(90, 18, 181, 27).rect(9, 81, 72, 32).fill('black')
  for (const [thick, y] of [
    [2, 81],
    [2, 113],
    [3, 275],
    [3, 382],
  ] as const)
    line(thick, y)
  page
    .save()
    .rotate(-17, { origin: [144, 212] })
    .fillColor('#dddddd')
  say(SAMPLE_MARKS.word, 60, 20, 190)
  page.restore().fillColor('white')
  say(SAMPLE_MARKS.payment, 9.4, 98, 28)
  say(SAMPLE_MARKS.word, 15, 14, 91)
  page.fillColor('black')
  say('S', 60, 25, 25)
  say(SAMPLE_MARKS.warning, 9.4, 100, 50)
  say(SAMPLE_MARKS.tracking, 10, 48, 282)
  say('SHIP TO:', 8, 17, 186)
  say(print(label.serviceName), 12.8, 90, 92)
  addressLines(from, true).forEach((words, turn) => say(words, 8, 17, 122 + turn * 9.8, false))
  addressLines(to, false).forEach((words, turn) => say(words, 12, 62, 182 + turn * 14.3))
  say(`${label.weightLb} LB`, 14, 225, 120)
  say(`${label.lengthIn} X ${label.widthIn} X ${label.heightIn} IN`, 8, 217, 137, false)
  say(
    `${label.position!.index}/${label.position!.total} \xb7 ${label.sku} \xb7 ${label.orderId}`,
    9,
    17,
    391,
  )
  say(`Qty ${label.quantity} \xb7 ${label.description}`, 8, 17, 405, false)
  say(groupTracking(label.trackingNumber), 11, 69, 363)
  const bars = symbolBars(gs1Symbols(SPECIMEN_ROUTING, label.trackingNumber))
  for (const { start, width } of bars)
    page.rect(26 + start * MODULE_WIDTH, 299, width * MODULE_WIDTH, 55)
  page.fill()
}

function addressLines(side: LabelData['from'], phone: boolean): string[] {
  const { name, company, street1, street2, city, state, zip } = side
  const lines = [
    name,
    company,
    street1,
    street2,
    `${city} ${state} ${zip}`,
    phone ? side.phone : '',
  ]
  return lines.map(line => print(line ?? '')).filter(line => line !== '')
}

const print = (written: string) => labelText(written)?.text ?? ''

// Streets and goods of different lengths, depending on the number only.
export function example(index: number, total: number): LabelData {
  const pick = <T>(list: readonly T[], stride: number) => list[(index * stride) % list.length]!
  const street = `${((index * 7919) % 9973) + 1} ${pick(['Huot Cir', 'Old Post Rd', 'Hillcrest Blvd', 'Cedar Ln', 'N Umpqua Hwy'], 3)}`
  const given = pick(['Opal', 'Gideon', 'Leif', 'Hadley', 'Silas', 'Mabel', 'José'], 5)
  const name = `${given} ${pick(['Wainwright', 'Muñoz', 'Ellery', 'Osei'], 7)}`
  const zip = String(((index * 104_729) % 99_950) + 1).padStart(5, '0')
  return {
    trackingNumber: sandboxTracking(BigInt(index) * 48_271n + 1_000_000_000_000n),
    serviceName: pick(
      ['USPS Ground Advantage', 'USPS Priority Mail', 'USPS Priority Mail Express'],
      1,
    ),
    from: {
      name: 'Wanda Osei',
      company: 'Crystal Creek Meats',
      phone: '907-555-0150',
      street1: '5357 N. Umpqua Hwy',
      city: 'Roseburg',
      state: 'OR',
      zip: '97470',
    },
    to: {
      name,
      street1: street,
      street2: index % 4 === 0 ? `Apt ${(index % 90) + 1}` : '',
      city: pick(['Basye', 'Indian', 'Canadian'], 1),
      state: 'VA',
      zip,
    },
    weightLb: (index % 40) / 2 + 0.5,
    lengthIn: (index % 12) + 4,
    widthIn: 6,
    heightIn: (index % 7) + 1,
    description: pick(
      ['Copper Bath Mat', 'Fern Tea Towel', 'Ember Spice Rack', 'Cedar Garden Trowel'],
      1,
    ),
    quantity: (index % 3) + 1,
    sku: `HGP-${index % 5000}-PK`,
    orderId: `114-${1_794_598 + index}-${2_115_959 + index * 3}`,
    position: { index, total },
  }
}
