import { expect, test } from 'vitest'
import { groupTracking } from '#contract/format.ts'
import { SPECIMEN_MARKS, quietZones, isSameInside } from '#tests/support/label-picture.ts'
import { readZpl, type ZplElement, type ParsedZpl } from '#tests/support/read-zpl.ts'
import {
  HOSTILE_LABELS,
  REAL_POSTAGE_WORDS,
  sampleLabel,
  SAMPLE_LABEL_LINES,
  SPECIMEN_MARKINGS,
} from '#tests/support/sample-labels.ts'
import { specimenZpl } from './specimen-zpl.ts'

const printed = (source: string): ParsedZpl => {
  const [label, ...more] = readZpl(source)
  expect(more).toEqual([])
  return label!
}

// 9 points, which thermal printers do not reach; the frame's lines are centered on it.
const EDGE = 22

function insideOfEdge({ width, height, elements: fields }: ParsedZpl): ZplElement[] {
  return fields.filter(
    ({ left, top, right, bottom }) =>
      left >= EDGE && top >= EDGE && right <= width - EDGE && bottom <= height - EDGE,
  )
}

test('a label for a thermal printer says who sends what to whom, and how', () => {
  const label = printed(specimenZpl(sampleLabel(4711, { position: { index: 3, total: 120 } })))
  expect([label.width, label.height]).toEqual([812, 1218])
  expect(label.remarks).toEqual(['SAMPLE label, not valid for postage'])
  expect(label.text.split('\n')).toEqual([
    'SAMPLE – NOT VALID FOR POSTAGE',
    'NO POSTAGE PAID. DO NOT MAIL.',
    'S',
    'Sandbox print: no carrier expects this parcel.',
    ...SAMPLE_LABEL_LINES,
    'SAMPLE TRACKING # – NOT A LIVE NO.',
    groupTracking(sampleLabel(4711).trackingNumber),
    '3/120 · HGP-2746-PK · 114-1794598-2115959',
    'Qty 2 · Copper Door Mat (large)',
  ])
})

test('its barcode is of whole dots, has room on both sides and carries the number behind a routing that leads nowhere', async () => {
  const label = printed(specimenZpl(sampleLabel(1234567890123n)))
  const bars = label.elements.find(field => field.kind === 'bars')!
  // 222 modules of three dots, and the height of the bars in the PDF.
  expect([bars.right - bars.left, bars.bottom - bars.top]).toEqual([666, 155])
  for (const zone of quietZones(label.picture)) expect(zone).toBeGreaterThanOrEqual(30)
  const barcode = await label.barcode()
  expect(barcode).toMatchObject({ gs1: true, text: '(420)00000(98)00000012345678901236' })
  expect(Buffer.from(barcode!.bytes).toString('latin1')).toBe('42000000\x1d9800000012345678901236')
})

test('no text of a customer changes a mark of a sample or is printed beyond the edge', async () => {
  const usual = printed(specimenZpl(sampleLabel(1)))
  const labels = readZpl(HOSTILE_LABELS.map(specimenZpl).join(''))
  expect(labels).toHaveLength(HOSTILE_LABELS.length)
  for (const [turn, label] of labels.entries()) {
    const lines = label.text.split('\n')
    for (const words of SPECIMEN_MARKINGS) expect(lines, `label ${turn}`).toContain(words)
    expect(
      lines.filter(line => /^SAMPLE (?!–|TRACKING)|^SAMPLE$/.test(line)),
      `label ${turn}`,
    ).toHaveLength(1)
    expect(label.text).not.toMatch(REAL_POSTAGE_WORDS)
    for (const [name, box] of Object.entries(SPECIMEN_MARKS)) {
      expect(isSameInside(usual.picture, label.picture, box), `${name} of label ${turn}`).toBe(true)
    }
    expect(insideOfEdge(label), `label ${turn}`).toEqual(label.elements)
    expect((await label.barcode())?.text).toBe(
      `(420)00000(98)${HOSTILE_LABELS[turn]!.trackingNumber.slice(2)}`,
    )
  }
})

test('the word SAMPLE lies across the page, below the address', () => {
  const { elements: fields } = printed(specimenZpl(sampleLabel(1)))
  const address = fields.findIndex(field => field.kind === 'text')
  const strokes = fields.slice(0, address)
  expect(strokes.every(({ kind }) => kind === 'lines')).toBe(true)
  expect(
    Math.max(...strokes.map(({ right }) => right)) - Math.min(...strokes.map(({ left }) => left)),
  ).toBeGreaterThan(600)
})

test('the form comes after what a customer wrote, and first wipes the places where it stands', () => {
  const fields = printed(specimenZpl(HOSTILE_LABELS[1]!)).elements
  const texts = fields.flatMap((field, at) =>
    field.kind === 'text' ? [{ at, words: field.words }] : [],
  )
  const wipes = fields.flatMap((field, at) => (field.kind === 'wipe' ? [at] : []))
  const own = texts.filter(
    ({ words }) =>
      !SPECIMEN_MARKINGS.includes(words)
      && !/^(S|SAMPLE|SHIP TO:|Sandbox print.*|[\d ]{27})$/.test(words),
  )
  expect(own.length).toBeGreaterThan(10)
  expect(Math.max(...own.map(({ at }) => at))).toBeLessThan(Math.min(...wipes))
  const wiped = fields.filter(({ kind }) => kind === 'wipe')
  const inside = (one: ZplElement, other: ZplElement): boolean =>
    one.left >= other.left
    && one.right <= other.right
    && one.top >= other.top
    && one.bottom <= other.bottom
  const ours = [...SPECIMEN_MARKINGS, 'S', 'SAMPLE']
  const form = fields.filter(
    field => field.kind === 'bars' || (field.kind === 'text' && ours.includes(field.words)),
  )
  expect(form).toHaveLength(6)
  for (const mark of form)
    expect(
      wiped.some(area => inside(mark, area)),
      JSON.stringify(mark),
    ).toBe(true)
  const marks = texts.filter(({ words }) => SPECIMEN_MARKINGS.includes(words))
  expect(marks).toHaveLength(3)
  expect(Math.min(...marks.map(({ at }) => at))).toBeGreaterThan(Math.max(...wipes))
})

test('commands that a customer writes are letters like any others', () => {
  const to = {
    ...sampleLabel(1).to,
    name: 'A(\\)B^FS~JA',
    company: '^XZ^XA\r\n^FO0,0',
    street1: 'one\u0000two\u001bthree',
    city: '_5EXZ>8',
  }
  const label = printed(specimenZpl(sampleLabel(1, { to })))
  expect(label.text).toContain(
    'SHIP TO: A()BFSJA\nXZXA FO0,0\nONETWOTHREE\nAPT 4B\n_5EXZ>8 AK 99540',
  )
})

test('labels one after the other are a file, each ending with a line of its own', () => {
  const source = [1, 2, 3].map(serial => specimenZpl(sampleLabel(serial)))
  expect(source.every(label => label.startsWith('^XA') && label.endsWith('^XZ\n'))).toBe(true)
  const read = readZpl(source.join(''))
  expect(
    read.map(({ text }) =>
      [1, 2, 3].find(serial => text.includes(groupTracking(sampleLabel(serial).trackingNumber))),
    ),
  ).toEqual([1, 2, 3])
})

test('a number under which real postage is sold is never printed', () => {
  expect(() => specimenZpl(sampleLabel(1, { trackingNumber: '9400111201080805483016' }))).toThrow(
    'live postage',
  )
  expect(() => specimenZpl(sampleLabel(1, { trackingNumber: '9800000000000000000000' }))).toThrow(
    'not a sandbox tracking number',
  )
})
