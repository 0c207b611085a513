import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { groupTracking } from '#contract/format.ts'
import { checkDigit } from '#server/carriers/sandbox/tracking.ts'
import { SPECIMEN_MARKS, quietZones, isSameInside } from '#tests/support/label-picture.ts'
import { openPdf, readPdf } from '#tests/support/read-pdf.ts'
import { readZpl } from '#tests/support/read-zpl.ts'
import {
  HOSTILE_LABELS,
  REAL_POSTAGE_WORDS,
  sampleLabel,
  SAMPLE_LABEL_LINES,
  SPECIMEN_MARKINGS,
} from '#tests/support/sample-labels.ts'
import type { LabelData } from './label-data.ts'
import { specimenPdf, writeSpecimenPdf } from './specimen-pdf.ts'
import { specimenSvg } from './specimen-png.ts'
import { specimenZpl } from './specimen-zpl.ts'

/** Writes a file of many labels in memory. */
async function bulk(labels: Iterable<LabelData>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  const written = await writeSpecimenPdf(labels, { write: chunk => void chunks.push(chunk) })
  const file = Buffer.concat(chunks)
  expect(written.bytes).toBe(file.length)
  return file
}

function* stack(total: number): Generator<LabelData> {
  for (let index = 1; index <= total; index++)
    yield sampleLabel(index, { position: { index, total } })
}

test('a label says who sends what to whom, and how', async () => {
  const [page, ...more] = await readPdf(
    specimenPdf(sampleLabel(4711, { position: { index: 3, total: 120 } })),
  )
  expect(more).toEqual([])
  expect(page).toMatchObject({ width: 288, height: 432 })
  expect(page!.text.split('\n').filter(line => line !== 'SAMPLE')).toEqual([
    'SAMPLE – NOT VALID FOR POSTAGE',
    'NO POSTAGE PAID. DO NOT MAIL.',
    'S Sandbox print: no carrier expects this parcel.',
    ...SAMPLE_LABEL_LINES,
    'SAMPLE TRACKING # – NOT A LIVE NO.',
    groupTracking(sampleLabel(4711).trackingNumber),
    '3/120 · HGP-2746-PK · 114-1794598-2115959',
    'Qty 2 · Copper Door Mat (large)',
  ])
})

test('lines that are not there leave no gap', async () => {
  const to = {
    name: 'Opal Wainwright',
    street1: '200 Huot Circle',
    city: 'Indian',
    state: 'AK',
    zip: '99540',
  }
  const [page] = await readPdf(
    specimenPdf(
      sampleLabel(1, { to, from: to, sku: null, orderId: null, description: null, quantity: null }),
    ),
  )
  expect(page!.text).toContain('SHIP TO: OPAL WAINWRIGHT\n200 HUOT CIRCLE\nINDIAN AK 99540')
  expect(page!.text).not.toContain('·')
})

test('a long name and a long street are printed in full, on two lines each', async () => {
  const to = {
    name: 'Department of Ceramics and Sculpture, attention Bartholomew Featherstonehaugh',
    street1: '12345 North Martin Luther King Junior Memorial Boulevard, Building Seven',
    city: 'Albuquerque',
    state: 'NM',
    zip: '87120',
    phone: '505-555-0110',
  }
  const label = sampleLabel(1, { to, from: to })
  const [page] = await readPdf(specimenPdf(label))
  for (const text of [page!.text, readZpl(specimenZpl(label))[0]!.text])
    for (const line of [
      'DEPARTMENT OF CERAMICS AND SCULPTURE,',
      'ATTENTION BARTHOLOMEW FEATHERSTONEHAUGH',
      '12345 NORTH MARTIN LUTHER KING JUNIOR',
      'MEMORIAL BOULEVARD, BUILDING SEVEN',
      'ALBUQUERQUE NM 87120',
    ])
      expect(text.split(line), line).toHaveLength(3)
})

test('a long company is printed in full when the address has all six lines', async () => {
  const to = {
    name: 'Bartholomew Featherstonehaugh',
    company: 'Northwestern University Department of Ceramics, Sculpture and Printmaking',
    street1: '12345 North Martin Luther King Junior Memorial Boulevard, Building Seven',
    street2: 'Suite 1200',
    city: 'Albuquerque',
    state: 'NM',
    zip: '87120',
    phone: '505-555-0110',
  }
  const label = sampleLabel(1, { to })
  const [page] = await readPdf(specimenPdf(label))
  const lines = [
    'BARTHOLOMEW FEATHERSTONEHAUGH',
    'NORTHWESTERN UNIVERSITY DEPARTMENT OF',
    'CERAMICS, SCULPTURE AND PRINTMAKING',
    '12345 NORTH MARTIN LUTHER KING JUNIOR',
    'MEMORIAL BOULEVARD, BUILDING SEVEN',
    'SUITE 1200',
    'ALBUQUERQUE NM 87120',
  ]
  expect(page!.text).toContain(lines.join('\n'))
  for (const text of [readZpl(specimenZpl(label))[0]!.text, specimenSvg(label)])
    for (const line of lines) expect(text).toContain(line)
})

test('the barcode carries the number behind a routing that leads nowhere, both parts marked', async () => {
  const [page] = await readPdf(specimenPdf(sampleLabel(1234567890123n)))
  const barcode = await page!.barcode()
  expect(barcode).toMatchObject({ gs1: true, text: '(420)00000(98)00000012345678901236' })
  expect(Buffer.from(barcode!.bytes).toString('latin1')).toBe('42000000\x1d9800000012345678901236')
  // Ten modules of three dots.
  for (const zone of quietZones(await page!.picture())) expect(zone).toBeGreaterThanOrEqual(30)
})

test('no text of a customer removes a mark of a sample from the label or adds a word of real postage', async () => {
  const pages = await readPdf(await bulk(HOSTILE_LABELS))
  expect(pages).toHaveLength(HOSTILE_LABELS.length)
  for (const [turn, page] of pages.entries()) {
    const lines = page.text.split('\n')
    for (const mark of SPECIMEN_MARKINGS) expect(lines, `label ${turn}`).toContain(mark)
    // Across the page, and before the service.
    expect(
      lines.filter(line => /^SAMPLE$|^SAMPLE (?!–|TRACKING)/.test(line)),
      `label ${turn}`,
    ).toHaveLength(2)
    expect(page.text).not.toMatch(REAL_POSTAGE_WORDS)
    const { trackingNumber } = HOSTILE_LABELS[turn]!
    expect((await page.barcode())?.text, `label ${turn}`).toBe(
      `(420)00000(98)${trackingNumber.slice(2)}`,
    )
  }
})

test('no text of a customer changes how the marks look', async () => {
  const pages = await readPdf(await bulk([sampleLabel(1), ...HOSTILE_LABELS]))
  const [usual, ...hostile] = await Promise.all(pages.map(page => page.picture()))
  for (const [turn, picture] of hostile.entries()) {
    for (const [name, box] of Object.entries(SPECIMEN_MARKS))
      expect(isSameInside(usual!, picture, box), `${name} of label ${turn}`).toBe(true)
  }
})

test('the file says what it is in its title', async () => {
  expect((await openPdf(specimenPdf(sampleLabel(1)))).title).toBe(
    'SAMPLE label, not valid for postage',
  )
})

test('a number under which real postage is sold is never drawn', async () => {
  for (const prefix of [91, 92, 93, 94, 95]) {
    const body = `${prefix}0000000000000000001`
    const live = sampleLabel(1, { trackingNumber: body + checkDigit(body) })
    expect(() => specimenPdf(live)).toThrow('live postage')
    await expect(bulk([sampleLabel(1), live])).rejects.toThrow('live postage')
  }
})

test('a file without labels is not written at all', async () => {
  const chunks: Uint8Array[] = []
  await expect(writeSpecimenPdf([], { write: chunk => void chunks.push(chunk) })).rejects.toThrow(
    'at least one label',
  )
  expect(chunks).toEqual([])
})

test('the same labels give the same bytes, so that a file can be made again over the old one', async () => {
  expect(await bulk(stack(450))).toEqual(await bulk(stack(450)))
  expect(specimenPdf(sampleLabel(5))).toEqual(specimenPdf(sampleLabel(5)))
  expect(specimenPdf(sampleLabel(5))).toEqual(await bulk([sampleLabel(5)]))
})

test('labels may come one by one, and a slow reader is waited for', async () => {
  async function* slowly(): AsyncGenerator<LabelData> {
    yield* stack(3)
  }
  let writing = 0
  const chunks: Uint8Array[] = []
  const sink = {
    async write(chunk: Uint8Array): Promise<void> {
      expect(writing++).toBe(0)
      await new Promise(resolve => setImmediate(resolve))
      chunks.push(chunk)
      writing--
    },
  }
  await writeSpecimenPdf(stack(1000), sink)
  expect(chunks.length).toBeGreaterThan(1)
  expect(Buffer.concat(chunks)).toEqual(await bulk(stack(1000)))
  expect(await writeSpecimenPdf(slowly(), { write() {} })).toMatchObject({ pages: 3 })
})

test('others are served while a long file is written', async () => {
  let served = 0
  const serve = (): void => {
    served++
    turn = setImmediate(serve)
  }
  let turn = setImmediate(serve)
  await bulk(stack(2000))
  clearImmediate(turn)
  expect(served).toBeGreaterThanOrEqual(9)
})

test('ten thousand labels are ten thousand pages, in the order of the table', async () => {
  const file = await bulk(stack(10_000))
  expect(file.length / 10_000).toBeLessThan(700)
  const read = await openPdf(file)
  expect(read.count).toBe(10_000)
  // Edges of the page groups, and some in between.
  for (const number of [1, 2, 199, 200, 201, 202, 4_000, 4_001, 7_777, 9_999, 10_000]) {
    const page = await read.page(number)
    expect(page.text).toContain(`${number}/10000 · `)
    expect(page.text).toContain(groupTracking(sampleLabel(number).trackingNumber))
    for (const mark of [...SPECIMEN_MARKINGS, 'SAMPLE USPS GROUND ADVANTAGE'])
      expect(page.text).toContain(mark)
  }
  for (const number of [1, 10_000]) {
    const page = await read.page(number)
    expect((await page.barcode())?.text).toBe(
      `(420)00000(98)${sampleLabel(number).trackingNumber.slice(2)}`,
    )
  }
})

const qpdf = spawnSync('qpdf', ['--version']).status === 0
if (!qpdf)
  console.info('qpdf is not installed: the structure of label files gets no second opinion here')

test.runIf(qpdf)('a second opinion finds no fault in the structure of the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'labels-'))
  try {
    const files = {
      one: specimenPdf(sampleLabel(1)),
      many: await bulk(stack(1001)),
      hostile: await bulk(HOSTILE_LABELS),
    }
    for (const [name, file] of Object.entries(files)) {
      const path = join(folder, `${name}.pdf`)
      writeFileSync(path, file)
      const { status, stdout, stderr } = spawnSync('qpdf', ['--check', path], { encoding: 'utf8' })
      expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: '' })
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
