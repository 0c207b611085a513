import { expect, test } from 'vitest'
import {
  barcodePart,
  labelsOfSheet,
  SPECIMEN_MARKS,
  quietZones,
  isSameInside,
} from '#tests/support/label-picture.ts'
import { openPdf, readBarcodesOf, readPdf } from '#tests/support/read-pdf.ts'
import {
  HOSTILE_LABELS,
  REAL_POSTAGE_WORDS,
  sampleLabel,
  SPECIMEN_MARKINGS,
} from '#tests/support/sample-labels.ts'
import type { LabelData } from './label-data.ts'
import { writeSpecimenPdf } from './specimen-pdf.ts'

async function letter(
  labels: Iterable<LabelData>,
  first: 1 | 2 = 1,
): Promise<{ file: Buffer; pages: number }> {
  const chunks: Uint8Array[] = []
  const { pages, bytes } = await writeSpecimenPdf(
    labels,
    { write: chunk => void chunks.push(chunk) },
    { kind: 'letter', first },
  )
  const file = Buffer.concat(chunks)
  expect(bytes).toBe(file.length)
  return { file, pages }
}

const barcodeOf = ({ trackingNumber }: LabelData): string =>
  `(420)00000(98)${trackingNumber.slice(2)}`
const timesIn = (text: string, words: string): number => text.split(words).length - 1

test('two labels lie on a Letter sheet, the upper half first, and both can be scanned', async () => {
  const [one, two, three] = [sampleLabel(1), sampleLabel(2), sampleLabel(3)]
  const { file, pages } = await letter([one, two, three])
  const sheets = await readPdf(file)
  expect([pages, sheets.length]).toEqual([2, 2])
  expect(sheets.map(({ width, height }) => [width, height])).toEqual([
    [612, 792],
    [612, 792],
  ])
  const labels = (await Promise.all(sheets.map(sheet => sheet.picture()))).flatMap(labelsOfSheet)
  const read = await Promise.all(
    labels.map(async label => (await readBarcodesOf(label)).map(({ text }) => text)),
  )
  expect(read).toEqual([[barcodeOf(one)], [barcodeOf(two)], [barcodeOf(three)], []])
  for (const label of labels.slice(0, 3)) {
    for (const zone of quietZones(label)) expect(zone).toBeGreaterThanOrEqual(30)
  }
})

test('a sheet of which the upper half is used up begins with the lower one', async () => {
  const { file, pages } = await letter([sampleLabel(1), sampleLabel(2), sampleLabel(3)], 2)
  expect(pages).toBe(2)
  const [first, second] = (await readPdf(file)).map(sheet => sheet.picture())
  const labels = [...labelsOfSheet(await first!), ...labelsOfSheet(await second!)]
  const read = await Promise.all(labels.map(label => readBarcodesOf(barcodePart(label))))
  expect(read.map(found => found[0]?.text)).toEqual([
    undefined,
    barcodeOf(sampleLabel(1)),
    barcodeOf(sampleLabel(2)),
    barcodeOf(sampleLabel(3)),
  ])
})

test('no text of a customer changes the marks of a sample on either label of the sheet', async () => {
  const usual = await letter([sampleLabel(1), sampleLabel(2)])
  const [plain] = await readPdf(usual.file)
  const marked = labelsOfSheet(await plain!.picture())
  // An even number, so that every sheet has two.
  const hostile = [...HOSTILE_LABELS, ...HOSTILE_LABELS].slice(
    0,
    HOSTILE_LABELS.length + (HOSTILE_LABELS.length % 2),
  )
  for (const [turn, sheet] of (await readPdf((await letter(hostile)).file)).entries()) {
    for (const words of SPECIMEN_MARKINGS)
      expect(timesIn(sheet.text, words), `${words} on sheet ${turn}`).toBe(2)
    expect(sheet.text).not.toMatch(REAL_POSTAGE_WORDS)
    for (const [place, label] of labelsOfSheet(await sheet.picture()).entries()) {
      for (const [name, box] of Object.entries(SPECIMEN_MARKS)) {
        expect(
          isSameInside(marked[place]!, label, box),
          `${name} of label ${2 * turn + place}`,
        ).toBe(true)
      }
      expect((await readBarcodesOf(barcodePart(label)))[0]?.text).toBe(
        barcodeOf(hostile[2 * turn + place]!),
      )
    }
  }
})

test('thousands of labels are half as many sheets, in the order of the table', async () => {
  const total = 2001
  const { file, pages } = await letter(
    Array.from({ length: total }, (_, at) =>
      sampleLabel(at + 1, { position: { index: at + 1, total } }),
    ),
  )
  const read = await openPdf(file)
  expect([pages, read.count]).toEqual([1001, 1001])
  expect(file.length / total).toBeLessThan(500)
  for (const number of [1, 200, 201, 1000]) {
    const { text } = await read.page(number)
    for (const index of [2 * number - 1, 2 * number]) expect(text).toContain(`${index}/${total} · `)
  }
  expect((await read.page(1001)).text).toContain(`${total}/${total} · `)
})

test('a sheet says what it is in its title, and is the same each time', async () => {
  const { file } = await letter([sampleLabel(1), sampleLabel(2)])
  expect((await openPdf(file)).title).toBe('SAMPLE label, not valid for postage')
  expect((await letter([sampleLabel(1), sampleLabel(2)])).file).toEqual(file)
})

test('a number of real postage is drawn on no sheet, and an empty one is not written', async () => {
  await expect(
    letter([sampleLabel(1), sampleLabel(1, { trackingNumber: '9400111201080805483016' })]),
  ).rejects.toThrow('live postage')
  await expect(letter([])).rejects.toThrow('at least one label')
})
