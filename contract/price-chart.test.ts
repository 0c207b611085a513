import { expect, test } from 'vitest'
import { cents } from './money.ts'
import { flatPriceFacts, PriceComparison } from './price-chart.ts'

const offer = { price: cents(650), heaviest: 70 }
const comparison = PriceComparison.parse({
  name: 'Post office counter',
  source: 'Price list of July 2026',
  prices: [
    { upTo: 1, price: 10.25 },
    { upTo: 20, price: 24 },
    { upTo: 90, price: 80.5 },
  ],
})

test('our line is level over weights from 1 lb to the heaviest, and needs no amounts while it is alone', () => {
  const facts = flatPriceFacts(offer, null)!
  expect([facts.line, facts.hundred]).toEqual(['24', '15'])
  expect(facts.amounts).toEqual([])
  expect(facts.weights.map(({ text }) => text)).toEqual([
    '1 lb',
    '10',
    '20',
    '30',
    '40',
    '50',
    '60',
    '70 lb',
  ])
  expect([facts.weights[0]!.at, facts.weights.at(-1)!.at]).toEqual(['0', '100'])
  expect(facts.other).toBeNull()
})

test('parcels on the scale grow with their weight, each in the middle above it', () => {
  const { weights } = flatPriceFacts(offer, null)!
  const sides = weights.map(({ side }) => Number(side))
  expect(sides).toEqual(sides.toSorted((a, b) => a - b))
  expect(sides.at(-1)).toBe(12)
  expect([weights[0]!.left, weights.at(-1)!.left]).toEqual(['-1.46', '94'])
})

test.each([
  [120, '20'],
  [21, '20'],
  [20, '1'],
  [2, '1'],
])('%i lb is compared with %s lb', (heaviest, light) => {
  expect(flatPriceFacts({ ...offer, heaviest }, null)).toMatchObject({
    heaviest: String(heaviest),
    light,
  })
})

test('a price of 1 lb alone is nothing to compare', () => {
  expect(flatPriceFacts({ ...offer, heaviest: 1 }, null)).toBeNull()
})

test('the second line has the amounts that the operator gave, and ends where ours ends', () => {
  const { other, line, amounts } = flatPriceFacts(offer, comparison)!
  expect(amounts.map(({ text }) => text)).toContain('$0')
  expect(other).toMatchObject({
    name: 'Post office counter',
    source: 'Price list of July 2026',
    url: null,
    firstPrice: '$10.25',
    lastPrice: '$80.50',
    upTo: '70',
  })
  const prices = JSON.parse(other!.prices) as [number, string, string][]
  expect(prices.map(([upTo, price]) => [upTo, price])).toEqual([
    [1, '$10.25'],
    [20, '$24.00'],
    [70, '$80.50'],
  ])
  const heights = other!.points.split(' ').map(point => Number(point.split(',')[1]))
  expect(heights.every(height => height < Number(line))).toBe(true)
  expect(other!.points.split(' ').at(-1)).toMatch(/^100,/)
})

test('a table that ends before our heaviest weight draws no line beyond it', () => {
  const short = { ...comparison, prices: comparison.prices.slice(0, 2) }
  const { other } = flatPriceFacts(offer, short)!
  expect(other).toMatchObject({ upTo: '20', lastPrice: '$24.00' })
  expect(Number(other!.points.split(' ').at(-1)!.split(',')[0])).toBeLessThan(30)
})

test.each([
  [{ source: '' }, 'no source'],
  [{ prices: [] }, 'no amounts'],
  [{ prices: [{ upTo: 5, price: 1.005 }] }, 'a fraction of a cent'],
  [
    {
      prices: [
        { upTo: 5, price: 9 },
        { upTo: 5, price: 10 },
      ],
    },
    'a weight twice',
  ],
  [{ url: 'http://example.com' }, 'a link that is not safe'],
])('a table with %o is refused: %s', (change, _why) => {
  expect(PriceComparison.safeParse({ ...comparison, ...change }).success).toBe(false)
})
