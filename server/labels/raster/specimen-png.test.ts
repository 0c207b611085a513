import bwip from 'bwip-js'
import { expect, test } from 'vitest'
import { checkDigit } from '#server/carriers/sandbox/tracking.ts'
import type { LabelData } from '#server/labels/label-data.ts'
import { BARCODE_BOX, BLACK_BOXES, MARK_BOXES, TEXT_AREAS } from '#server/labels/layout.ts'
import type { Box } from '#server/labels/pdf-operators.ts'
import { specimenPdf } from '#server/labels/specimen-pdf.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { dotsAround, readPng, countStrayDots, type ParsedPng } from '#tests/support/read-png.ts'
import { HOSTILE_LABELS, sampleLabel } from '#tests/support/sample-labels.ts'
import { specimenPng, stampForm } from './specimen-png.ts'

const usual = sampleLabel(4711, { position: { index: 3, total: 120 } })

function* dotsIn(boxes: readonly Box[]): Generator<[x: number, y: number]> {
  for (const { left, top, right, bottom } of boxes.map(dotsAround)) {
    for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) yield [x, y]
  }
}

test('a label is a picture of black and white dots as large as the paper of a label printer', async () => {
  const { width, height, chunks } = await readPng(specimenPng(usual))
  expect({ width, height }).toEqual({ width: 812, height: 1218 })
  // One bit a dot, grey; 8000 dots to the metre are 203.2 to the inch.
  expect(chunks.get('IHDR')!.toString('hex')).toBe('0000032c000004c20100000000')
  expect(chunks.get('pHYs')!.toString('hex')).toBe('00001f4000001f4001')
  expect(chunks.get('tEXt')!.toString('latin1')).toBe('Title\0SAMPLE label, not valid for postage')
})

test('the barcode carries the number behind a routing that leads nowhere, both parts marked', async () => {
  const barcode = await (await readPng(specimenPng(sampleLabel(1234567890123n)))).barcode()
  expect(barcode).toMatchObject({ gs1: true, text: '(420)00000(98)00000012345678901236' })
  expect(Buffer.from(barcode!.bytes).toString('latin1')).toBe('42000000\x1d9800000012345678901236')
})

test('every bar and every gap is of whole modules of three dots, with ten modules of paper on either side', async () => {
  for (const label of [usual, sampleLabel(0), sampleLabel(9_999_999_999_999n)]) {
    const text = `(420)00000(98)${label.trackingNumber.slice(2)}`
    const [{ sbs }] = bwip.raw('gs1-128', text, '') as unknown as [{ sbs: number[] }]
    const { isBlack } = await readPng(specimenPng(label))
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

// The lengths of white, black, white … along a row.
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

test('whatever a customer writes, the label looks as any other outside of the boxes for what he writes', async () => {
  // Letters may reach 2 pt beyond the width of a box.
  const his = new Set(
    Array.from(
      dotsIn(TEXT_AREAS.map(box => ({ ...box, x: box.x - 2, width: box.width + 4 }))),
      ([x, y]) => y * 812 + x,
    ),
  )
  expect(Array.from(dotsIn(MARK_BOXES)).filter(([x, y]) => his.has(y * 812 + x))).toEqual([])
  for (const hostile of HOSTILE_LABELS) {
    const { trackingNumber } = hostile
    const written = await readPng(specimenPng(hostile))
    const other = await readPng(specimenPng({ ...usual, trackingNumber }))
    expect(
      differences(written, other).filter(dot => !his.has(dot)),
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

test('the form is put over whatever is there before, and its marks can be read', () => {
  const [black, white] = [new Uint8Array(102 * 1218).fill(0xff), new Uint8Array(102 * 1218)]
  stampForm(black)
  stampForm(white)
  const isBlack = (bits: Uint8Array, [x, y]: [number, number]): boolean =>
    (bits[y * 102 + (x >> 3)]! & (0x80 >> (x & 7))) !== 0
  const inside = MARK_BOXES.map(({ x, y, width, height }) => ({
    x: x + 1,
    y: y + 1,
    width: width - 2,
    height: height - 2,
  }))
  const dots = Array.from(dotsIn(inside))
  expect(dots.filter(dot => isBlack(black, dot) !== isBlack(white, dot))).toEqual([])
  // White words on black, black ones on white.
  const share = (box: Box): number => {
    const all = Array.from(dotsIn([box]))
    return all.filter(dot => isBlack(black, dot)).length / all.length
  }
  const [service, payment] = BLACK_BOXES
  expect(share(service!)).toBeLessThan(0.93)
  expect(share(payment!)).toBeLessThan(0.93)
  expect(share({ ...payment!, y: payment!.y - payment!.height })).toBeGreaterThan(0.1)
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
  expect(countStrayDots(await readPng(specimenPng(label)), pdf)).toBe(0)
  // One other letter would be seen.
  const misspelt = { ...label, to: { ...label.to, street1: label.to.street1.replace('o', 'e') } }
  expect(countStrayDots(await readPng(specimenPng(misspelt)), pdf)).toBeGreaterThan(9)
})

test('a number under which real postage is sold is never drawn', () => {
  for (const prefix of [91, 92, 93, 94, 95]) {
    const body = `${prefix}0000000000000000001`
    expect(() => specimenPng(sampleLabel(1, { trackingNumber: body + checkDigit(body) }))).toThrow(
      'live postage',
    )
  }
})

test('the same label gives the same bytes, whatever was drawn before it', () => {
  const before = specimenPng(usual)
  for (const hostile of HOSTILE_LABELS) specimenPng(hostile)
  expect(specimenPng(usual).equals(before)).toBe(true)
  expect(specimenPng(sampleLabel(2)).equals(specimenPng(sampleLabel(3)))).toBe(false)
})
