import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePriceSheet, PRICE_COLUMNS, priceRows, samePrices, tableText } from './price-file.ts'
import { highestRanges } from './pricing.ts'
import type { PriceStep } from './pricing.ts'

const ground = { uid: 'usps:GROUND', name: 'Ground', maxWeight: 70 }
const head = ['service', 'up_to', 'unit', 'price']
const read = (...rows: string[][]) => parsePriceSheet([head, ...rows], [ground])

const Cents = fc.nat({ max: 99_999 })
const Table = fc
  .record({
    ounces: fc.uniqueArray(fc.integer({ min: 1, max: 15 })),
    pounds: fc.uniqueArray(fc.integer({ min: 1, max: 69 })),
    zones: fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { minLength: 1 }),
    dimDivisor: fc.constantFrom(null, 139, 166),
    price: Cents,
  })
  .map(({ ounces, pounds, zones, dimDivisor, price }) => {
    const weights = [...ounces, ...[...pounds, 70].map(one => one * 16)].sort((a, b) => a - b)
    const steps: PriceStep[] = weights.map((toOz, at) => ({
      toOz,
      cents: Array.from({ length: 10 }, (_, zone) =>
        zones.includes(zone) ? price + at * 7 + (zone === 0 ? 9 : zone) : null,
      ),
    }))
    return { steps, dimDivisor }
  })

test('a downloaded file that is uploaded unchanged changes no price', () => {
  fc.assert(
    fc.property(Table, table => {
      const prices = { ranges: highestRanges(table), table }
      const rows = priceRows({ ...ground, ...prices })
      const { services, faults } = parsePriceSheet([[...PRICE_COLUMNS], ...rows], [ground])
      expect(faults).toEqual([])
      const again = services[0]!
      // Whole pounds for any zone come back as ranges with the same prices.
      const plain = again.table ?? {
        dimDivisor: null,
        steps: priceStepsOf(again.ranges, table.steps[0]!.cents),
      }
      expect(samePrices({ ranges: again.ranges, table: plain }, prices)).toBe(true)
    }),
  )
})

const priceStepsOf = (ranges: { to: number; cents: number }[], shape: (number | null)[]) =>
  ranges.map(({ to, cents }) => ({
    toOz: to * 16,
    cents: shape.map((_, zone) => (zone === 0 ? cents : null)),
  }))

test('rows of whole pounds with one price are the ranges of the price editor', () => {
  expect(read(['Ground', '70', 'lb', '$9.50'], ['usps:ground', '20', '', '6.5'])).toEqual({
    services: [
      {
        uid: 'usps:GROUND',
        ranges: [
          { from: 1, to: 20, cents: 650 },
          { from: 21, to: 70, cents: 950 },
        ],
        table: null,
      },
    ],
    faults: [],
    warnings: [],
  })
})

test('ounces make a table', () => {
  const [one] = read(['Ground', '15.999', 'oz', '4'], ['Ground', '70', 'lb', '9']).services
  expect(one!.table!.steps.map(({ toOz, cents }) => [toOz, cents[0]])).toEqual([
    [15.999, 400],
    [1120, 900],
  ])
  expect(tableText(one!.table!)).toBe('2 weights, $4.00 to $9.00, from 15.999 oz on')
})

test.each([
  [['Pigeon', '70', 'lb', '9'], 'service', "There is no service 'Pigeon'; write the key or"],
  [['Ground', 'x', 'lb', '9'], 'up_to', "up_to is 'x'; write a weight above 0, such as 5"],
  [['Ground', '70', 'kg', '9'], 'unit', "unit is 'kg'; write lb or oz"],
  [['Ground', '71', 'lb', '9'], 'up_to', 'up_to is 71 lb; Ground takes at most 70 lb'],
  [['Ground', '1.5', 'lb', '9'], 'up_to', 'write whole pounds, or ounces below 1 lb'],
  [['Ground', '17', 'oz', '9'], 'up_to', 'write weights from 16 oz on in pounds'],
  [['Ground', '70', 'lb', '9.999'], 'price', "The price is '9.999'; write dollars with at most"],
  [['Ground', '70', 'lb', '-1'], 'price', "The price is '-1'; write dollars"],
  [['Ground', '70', 'lb', ''], null, 'The row has no price; fill price or the zones'],
  [['Ground', '50', 'lb', '9'], 'up_to', 'The prices of Ground end at 50 lb; add rows up to 70 lb'],
])('the row %j is refused in its cell, with a remedy', (row, column, text) => {
  const { faults, services } = read(row)
  expect(services).toEqual([])
  expect(faults).toEqual([{ row: 2, column, text: expect.stringContaining(text) }])
})

test('a weight twice and a zone that only some rows have are named with the other row', () => {
  const rows = [
    ['service', 'up_to', 'zone_1', 'zone_2'],
    ['Ground', '1', '4', '5'],
    ['Ground', '70', '4', ''],
    ['Ground', '70', '4', '5'],
  ]
  expect(parsePriceSheet(rows, [ground]).faults.map(one => [one.row, one.text])).toEqual([
    [3, 'zone_2 is empty here and filled in row 2; fill it in all rows of Ground or in none'],
    [4, 'Ground has this weight in row 3 too; keep one of the two'],
  ])
})

test('a column that is not known is refused rather than ignored', () => {
  const { faults } = parsePriceSheet(
    [
      [...head, 'zone 10'],
      ['Ground', '70', '', '9'],
    ],
    [ground],
  )
  expect(faults[0]!.text).toContain('The column zone_10 is not known')
})

test('a heavier weight at a lower price is a warning', () => {
  const { warnings, services } = read(['Ground', '1', '', '9'], ['Ground', '70', '', '8'])
  expect(services).toHaveLength(1)
  expect(warnings[0]).toMatchObject({ row: 3, column: 'price' })
})

test('a price for any zone below that of a zone is a fault with the remedy', () => {
  const sheet = (any: string) =>
    parsePriceSheet(
      [
        ['service', 'up_to', 'unit', 'price', 'zone_1', 'zone_8'],
        ['Ground', '70', 'lb', any, '4', '9'],
      ],
      [ground],
    )
  expect(sheet('8.99').faults).toEqual([
    {
      row: 2,
      column: 'price',
      text: expect.stringMatching(
        /^price is \$8\.99 and zone_8 is \$9\.00: .* Write at least 9\.00, or leave/,
      ),
    },
  ])
  expect(sheet('9').faults).toEqual([])
})
