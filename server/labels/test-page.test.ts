import { expect, test } from 'vitest'
import { crop, darkRuns, labelsOfSheet, quietZones } from '#tests/support/label-picture.ts'
import { openPdf, readBarcodesOf, type Picture } from '#tests/support/read-pdf.ts'
import { readZpl } from '#tests/support/read-zpl.ts'
import { REAL_POSTAGE_WORDS } from '#tests/support/sample-labels.ts'
import { testPagePdf, testPageZpl } from './test-page.ts'

const NOT_A_LABEL = 'TEST PAGE – NOT A LABEL, NOT VALID FOR POSTAGE'
const BARCODE = '(420)00000(98)00000000000000000005'

/** Whether the outermost dots on all four sides are dark. */
function isFramed({ width, height, data }: Picture): boolean {
  const dark = (x: number, y: number): boolean => data[(y * width + x) * 4]! < 128
  const [middle, half] = [Math.floor(width / 2), Math.floor(height / 2)]
  return dark(1, half) && dark(width - 2, half) && dark(middle, 1) && dark(middle, height - 2)
}

/** The longest dark run at the ruler's line, in inches. */
function rulerOf(label: Picture): number {
  const place = crop(label, {
    left: 0.3,
    right: 3.8,
    top: (432 - 303) / 72,
    bottom: (432 - 297) / 72,
  })
  const lengths = Array.from({ length: place.height }, (_, y) =>
    darkRuns(place, y).map(({ from, to }) => to - from),
  ).flat()
  return Math.max(...lengths) / 203.2
}

test('the test page has the size of a label, its edge and its margin, and says that it is none', async () => {
  const file = await openPdf(testPagePdf())
  expect([file.count, file.title]).toEqual([1, 'Test page, not valid for postage'])
  const page = await file.page(1)
  expect([page.width, page.height]).toEqual([288, 432])
  for (const words of [
    NOT_A_LABEL,
    'MEASURE THIS: 3 in (76.2 mm)',
    'Print at 100% (actual size), not "Fit to page".',
  ]) {
    expect(page.text.split('\n')).toContain(words)
  }
  expect(page.text).not.toMatch(REAL_POSTAGE_WORDS)
  const picture = await page.picture()
  expect(isFramed(picture)).toBe(true)
  // The inner frame: an eighth of an inch in, on the free row above the bottom.
  const row = darkRuns(picture, picture.height - 60).map(({ from, to }) =>
    Math.round((from + to) / 2),
  )
  expect(row).toHaveLength(4)
  expect(Math.abs(row[1]! - 25)).toBeLessThanOrEqual(1)
  expect(Math.abs(row[2]! - (picture.width - 25))).toBeLessThanOrEqual(1)
})

test('what it asks to measure is three inches, in PDF and for a thermal printer', async () => {
  const page = await (await openPdf(testPagePdf())).page(1)
  expect(rulerOf(await page.picture())).toBeCloseTo(3, 1)
  expect(rulerOf(readZpl(testPageZpl())[0]!.picture)).toBeCloseTo(3, 1)
})

test('its barcode is that of a label and can be scanned', async () => {
  const picture = await (await (await openPdf(testPagePdf())).page(1)).picture()
  expect((await readBarcodesOf(picture)).map(({ text }) => text)).toEqual([BARCODE])
  for (const zone of quietZones(picture)) expect(zone).toBeGreaterThanOrEqual(30)
})

test('on Letter both places are shown, and the cut between them', async () => {
  const file = await openPdf(testPagePdf({ kind: 'letter', first: 2 }))
  expect([file.count, file.title]).toEqual([1, 'Test page, not valid for postage'])
  const page = await file.page(1)
  expect([page.width, page.height]).toEqual([612, 792])
  expect(page.text).toContain(`Upper half – ${NOT_A_LABEL}`)
  expect(page.text).toContain(`Lower half – ${NOT_A_LABEL}`)
  const sheet = await page.picture()
  expect(isFramed(sheet)).toBe(true)
  expect(darkRuns(sheet, Math.round(5.5 * 203.2)).length).toBeGreaterThan(50)
  for (const label of labelsOfSheet(sheet)) {
    expect((await readBarcodesOf(label)).map(({ text }) => text)).toEqual([BARCODE])
    for (const zone of quietZones(label)) expect(zone).toBeGreaterThanOrEqual(30)
    expect(rulerOf(label)).toBeCloseTo(3, 1)
  }
})

test('a thermal printer gets the same page, dot for dot inside of its paper', async () => {
  const source = testPageZpl()
  expect(source).toMatch(/^\^XA[^]*\^XZ\n$/)
  const [page, ...more] = readZpl(source)
  expect(more).toEqual([])
  expect([page!.width, page!.height, page!.remarks]).toEqual([
    812,
    1218,
    ['Test page, not valid for postage'],
  ])
  const outside = page!.elements.filter(
    ({ left, top, right, bottom }) => left < 0 || top < 0 || right > 812 || bottom > 1218,
  )
  expect(outside).toEqual([])
  expect(isFramed(page!.picture)).toBe(true)
  const { text } = await (await openPdf(testPagePdf())).page(1)
  expect(page!.text.split(/\s+/).toSorted()).toEqual(text.split(/\s+/).toSorted())
  expect(page!.text).not.toMatch(REAL_POSTAGE_WORDS)
  expect((await page!.barcode())?.text).toBe(BARCODE)
  for (const zone of quietZones(page!.picture)) expect(zone).toBeGreaterThanOrEqual(30)
  // Dot patterns grow darker from the left.
  const shares = [0, 1, 2, 3, 4].map(turn => {
    const { data } = crop(page!.picture, {
      left: (20 + turn * 46) / 72,
      right: (54 + turn * 46) / 72,
      top: 168 / 72,
      bottom: 180 / 72,
    })
    return data.filter((value, at) => at % 4 === 0 && value === 0).length / (data.length / 4)
  })
  expect(shares.toSorted((a, b) => a - b)).toEqual(shares)
  expect(shares.at(-1)).toBe(1)
  expect(new Set(shares).size).toBe(5)
})

test('a test page is the same each time', () => {
  expect(testPagePdf()).toEqual(testPagePdf())
  expect(testPagePdf({ kind: 'letter', first: 1 })).toEqual(
    testPagePdf({ kind: 'letter', first: 2 }),
  )
})
