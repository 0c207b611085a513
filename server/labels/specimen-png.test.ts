import bwip from 'bwip-js'
import { expect, test } from 'vitest'
import { checkDigit } from '#server/carriers/sandbox/tracking.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { dotsAround, readPng, countStrayDots, type ParsedPng } from '#tests/support/read-png.ts'
import {
  HOSTILE_LABELS,
  REAL_POSTAGE_WORDS,
  sampleLabel,
  SPECIMEN_MARKINGS,
} from '#tests/support/sample-labels.ts'
import type { LabelData } from './label-data.ts'
import { BARCODE_BOX, BLACK_BOXES, MARK_BOXES, TEXT_AREAS } from './layout.ts'
import type { Box } from './pdf-operators.ts'
import { rasterize } from './rasterize.ts'
import { specimenPdf } from './specimen-pdf.ts'
import { specimenForm, specimenPng, specimenSvg } from './specimen-png.ts'
import { svgDocument } from './svg.ts'

const usual = sampleLabel(4711, { position: { index: 3, total: 120 } })

function* dotsIn(boxes: readonly Box[]): Generator<[x: number, y: number]> {
  for (const { left, top, right, bottom } of boxes.map(dotsAround)) {
    for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) yield [x, y]
  }
}

test('a label is a picture of black and white dots as large as the paper of a label printer', async () => {
  const { width, height, chunks } = await readPng(await specimenPng(usual))
  expect({ width, height }).toEqual({ width: 812, height: 1218 })
  // One bit per dot, gray; 8000 dots per meter are 203.2 per inch.
  expect(chunks.get('IHDR')!.toString('hex')).toBe('0000032c000004c20100000000')
  expect(chunks.get('pHYs')!.toString('hex')).toBe('00001f4000001f4001')
  expect(chunks.get('tEXt')!.toString('latin1')).toBe('Title\0SAMPLE label, not valid for postage')
})

test('the barcode carries the number behind a routing that leads nowhere, both parts marked', async () => {
  const barcode = await (await readPng(await specimenPng(sampleLabel(1234567890123n)))).barcode()
  expect(barcode).toMatchObject({ gs1: true, text: '(420)00000(98)00000012345678901236' })
  expect(Buffer.from(barcode!.bytes).toString('latin1')).toBe('42000000\x1d9800000012345678901236')
})

test('every bar and every gap is of whole modules of three dots, with ten modules of paper on either side', async () => {
  for (const label of [usual, sampleLabel(0), sampleLabel(9_999_999_999_999n)]) {
    const text = `(420)00000(98)${label.trackingNumber.slice(2)}`
    const [{ sbs }] = bwip.raw('gs1-128', text, '') as unknown as [{ sbs: number[] }]
    const { isBlack } = await readPng(await specimenPng(label))
    const { top, bottom } = dotsAround({ ...BARCODE_BOX, width: 0 })
    for (let y = top + 3; y < bottom - 3; y++) {
      const runs = runsOf(isBlack, y, dotsAround({ x: 12, y: 0, width: 264, height: 0 }))
      const [before, ...rest] = runs
      const after = rest.pop()!
      expect(rest, `row ${y}`).toEqual(sbs.map(modules => modules * 3))
      expect(Math.min(before!, after)).toBeGreaterThanOrEqual(30)
    }
  }
})

// Lengths of white, black, white … along a row.
function runsOf(
  isBlack: ParsedPng['isBlack'],
  y: number,
  { left, right }: { left: number; right: number },
): number[] {
  const runs = [0]
  for (let x = left; x < right; x++) {
    if (isBlack(x, y) === (runs.length % 2 === 0)) runs[runs.length - 1]!++
    else runs.push(1)
  }
  return runs
}

test('nothing that a customer writes changes the label outside of the boxes for their texts', async () => {
  // Glyphs may extend 2 pt beyond a box.
  const textDots = new Set(
    Array.from(
      dotsIn(TEXT_AREAS.map(box => ({ ...box, x: box.x - 2, width: box.width + 4 }))),
      ([x, y]) => y * 812 + x,
    ),
  )
  expect(Array.from(dotsIn(MARK_BOXES)).filter(([x, y]) => textDots.has(y * 812 + x))).toEqual([])
  for (const hostile of HOSTILE_LABELS) {
    const { trackingNumber } = hostile
    const written = await readPng(await specimenPng(hostile))
    const other = await readPng(await specimenPng({ ...usual, trackingNumber }))
    expect(
      differences(written, other).filter(dot => !textDots.has(dot)),
      trackingNumber,
    ).toEqual([])
    expect((await written.barcode())?.text).toBe(`(420)00000(98)${trackingNumber.slice(2)}`)
  }
})

function differences(one: ParsedPng, other: ParsedPng): number[] {
  const [a, b] = [one, other].map(
    ({ picture: { data } }) => new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4),
  )
  const found: number[] = []
  for (let dot = 0; dot < a!.length; dot++) if (a![dot] !== b![dot]) found.push(dot)
  return found
}

test('nothing below the form shows through it, and its marks can be read', async () => {
  const cover = '<rect width="100%" height="100%"/>'
  const [black, white] = [
    await readPng(await rasterize(svgDocument(cover + specimenForm()), '')),
    await readPng(await rasterize(svgDocument(specimenForm()), '')),
  ]
  const inside = MARK_BOXES.map(({ x, y, width, height }) => ({
    x: x + 1,
    y: y + 1,
    width: width - 2,
    height: height - 2,
  }))
  const dots = Array.from(dotsIn(inside))
  expect(dots.filter(([x, y]) => black.isBlack(x, y) !== white.isBlack(x, y))).toEqual([])
  // White text on black, black on white.
  const share = (box: Box): number => {
    const all = Array.from(dotsIn([box]))
    return all.filter(([x, y]) => black.isBlack(x, y)).length / all.length
  }
  const [service, payment] = BLACK_BOXES
  expect(share(service!)).toBeLessThan(0.93)
  expect(share(payment!)).toBeLessThan(0.93)
  expect(share({ ...payment!, y: payment!.y - payment!.height })).toBeGreaterThan(0.1)
})

test('every picture has the words of a sample, and none of them has a word of paid postage', () => {
  for (const label of [usual, ...HOSTILE_LABELS]) {
    const lines = Array.from(specimenSvg(label).matchAll(/<text [^>]*>([^<]*)<\/text>/g), found =>
      found[1]!.replace(/&(lt|gt|amp|quot);/g, ' '),
    )
    for (const words of SPECIMEN_MARKINGS) expect(lines).toContain(words)
    // Across the page and before the service.
    expect(lines.filter(line => line === 'SAMPLE').length).toBeGreaterThanOrEqual(2)
    expect(lines.join('\n')).not.toMatch(REAL_POSTAGE_WORDS)
  }
})

test('the word SAMPLE lies across the page, below the address', async () => {
  const picture = await readPng(await specimenPng(usual))
  const page = await readPdf(specimenPdf(usual))
  const across: Box = { x: 17, y: 160, width: 254, height: 115 }
  const pdf = await page[0]!.picture()
  const without = await readPng(
    await rasterize(specimenSvg(usual).replace(/<g transform="translate[^]*?<\/g>/, ''), ''),
  )
  const gray = ([x, y]: [number, number]): boolean => pdf.data[(y * pdf.width + x) * 4]! < 250
  const lost = Array.from(dotsIn([across])).filter(
    ([x, y]) => picture.isBlack(x, y) && !without.isBlack(x, y),
  )
  // More than the outlines of a few letters, and where the PDF has them.
  expect(lost.length).toBeGreaterThan(2000)
  expect(lost.filter(dot => gray(dot)).length / lost.length).toBeGreaterThan(0.8)
})

test.each<[string, LabelData]>([
  ['as most are', usual],
  [
    'of long lines',
    sampleLabel(3, {
      serviceName: 'Priority Mail Express International Flat Rate',
      weightLb: 1234.56,
      lengthIn: 1234.56,
      widthIn: 789,
      to: {
        ...usual.to,
        name: 'Dr. Maximiliane Featherstonehaugh-Cholmondeley',
        street1: 'abcdefghijklmnopqrstuvwxyz &@#$% 0123456789',
        city: 'Llan'.repeat(20),
      },
      from: {
        ...usual.from,
        name: 'The quick brown fox jumps over the lazy dog (twice) & more, Inc.',
      },
      description: 'The quick brown fox jumps over the lazy dog; 0123456789 = {[<"!?*+|~^_\'>]}',
    }),
  ],
])('a label %s has the same words in the same places as its PDF', async (_, label) => {
  const [page] = await readPdf(specimenPdf(label))
  const pdf = await page!.picture()
  expect(countStrayDots(await readPng(await specimenPng(label)), pdf)).toBe(0)
  // A single different letter would be found.
  const misspelt = { ...label, to: { ...label.to, street1: label.to.street1.replace('o', 'e') } }
  expect(countStrayDots(await readPng(await specimenPng(misspelt)), pdf)).toBeGreaterThan(9)
})

test('a number under which real postage is sold is never drawn', async () => {
  for (const prefix of [91, 92, 93, 94, 95]) {
    const body = `${prefix}0000000000000000001`
    await expect(
      specimenPng(sampleLabel(1, { trackingNumber: body + checkDigit(body) })),
    ).rejects.toThrow('live postage')
  }
  await expect(
    specimenPng(sampleLabel(1, { trackingNumber: '9800000000000000000000' })),
  ).rejects.toThrow('not a sandbox tracking number')
})

test('the same label gives the same bytes, also after and beside other labels', async () => {
  const before = await specimenPng(usual)
  await Promise.all(HOSTILE_LABELS.map(specimenPng))
  expect((await specimenPng(usual)).equals(before)).toBe(true)
  expect((await specimenPng(sampleLabel(2))).equals(await specimenPng(sampleLabel(3)))).toBe(false)
})
