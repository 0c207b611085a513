import { writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts'
import { parsePriceSheet, PRICE_COLUMNS, priceRows } from '#contract/price-file.ts'
import { highestRanges } from '#contract/pricing.ts'
import { readPriceFile } from './read-price-file.ts'
import { startOfDay } from './start-of-day.ts'

const table = {
  steps: [
    { toOz: 15.999, cents: [null, 400, 455] },
    { toOz: 1120, cents: [null, 900, 1_205] },
  ],
  dimDivisor: 166,
}
const ground = { uid: 'usps:GROUND', name: 'Ground', maxWeight: 70 }
const sheet = [[...PRICE_COLUMNS], ...priceRows({ ...ground, table, ranges: highestRanges(table) })]

async function pricesIn(file: File) {
  const read = await readPriceFile(file)
  if ('problem' in read) throw new Error(read.problem)
  return parsePriceSheet(read.rows, [ground])
}
const expected = { faults: [], services: [{ uid: 'usps:GROUND', table: { dimDivisor: 166 } }] }

test('the downloaded CSV is read back', async () => {
  const text = BYTE_ORDER_MARK + sheet.map(csvLine).join('')
  expect(await pricesIn(new File([text], 'prices.csv'))).toMatchObject(expected)
})

test('a workbook whose prices are numbers is read like its CSV', async () => {
  const rows = sheet.map(row =>
    row.map(cell => (/^\d+(\.\d+)?$/.test(cell) ? Number(cell) : cell || null)),
  )
  const bytes = await writeXlsx({ sheets: [{ name: 'Prices', rows }] })
  const { services } = await pricesIn(new File([new Uint8Array(bytes)], 'prices.xlsx'))
  expect(services[0]!.table!.steps.map(({ cents }) => cents[2])).toEqual([455, 1_205])
  expect(services[0]!.table!.steps[0]!.toOz).toBe(15.999)
})

test('a fault has the row that a spreadsheet shows, blank rows counted', async () => {
  const text = 'service;up_to;price\n\nGround;50;6\n'
  const { faults } = await pricesIn(new File([text], 'prices.csv'))
  expect(faults).toMatchObject([{ row: 3, column: 'up_to' }])
  const rows = [['service', 'up_to', 'price'], [], ['Ground', 50, 6]]
  const bytes = await writeXlsx({ sheets: [{ name: 'Prices', rows }] })
  const workbook = await pricesIn(new File([new Uint8Array(bytes)], 'prices.xlsx'))
  expect(workbook.faults).toMatchObject([{ row: 3, column: 'up_to' }])
})

test.each([
  [new File(['a'], 'prices.pdf'), 'Choose a .csv or .xlsx file.'],
  [new File(['\n\n'], 'prices.csv'), 'The file is empty.'],
  [new File([BYTE_ORDER_MARK], 'prices.csv'), 'The file is empty.'],
  [new File([Uint8Array.of(0xff, 0xfe, 0x0a, 0)], 'prices.csv'), 'The file is empty.'],
  [
    new File([`a\n${'x'.repeat(201)}`], 'prices.csv'),
    'Row 2 has a cell of more than 200 characters',
  ],
])('a file that is no price file says why (%#)', async (file, problem) => {
  expect(await readPriceFile(file)).toEqual({ problem: expect.stringContaining(problem) })
})

test('a price file that is not Unicode says so', async () => {
  const text = 'service;up_to;price\nExprés;50;6\n'
  const latin = Uint8Array.from(text, letter => letter.charCodeAt(0))
  expect(await readPriceFile(new File([latin], 'prices.csv'))).toEqual({
    fileName: 'prices.csv',
    rows: [
      ['service', 'up_to', 'price'],
      ['Exprés', '50', '6'],
    ],
    notices: ['This file is not Unicode and was read as Windows-1252. Check names with accents.'],
  })
  expect(await readPriceFile(new File([text], 'prices.csv'))).toMatchObject({ notices: [] })
})

test('prices start at midnight of a later day', () => {
  const now = new Date(2026, 10, 22, 23, 0)
  expect(startOfDay('2026-11-23', now)).toBe(new Date(2026, 10, 23).toISOString())
  for (const day of ['2026-11-22', '', 'soon']) expect(startOfDay(day, now)).toBeNull()
})
