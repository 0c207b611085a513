import { expect, test } from 'vitest'
import type { PriceRange } from './catalogue.ts'
import {
  priceRangesProblem,
  PRICE_PROBLEM,
  PRICE_RANGES_PROBLEM,
  priceRangesSummary,
  priceRangesText,
  sortPriceRanges,
} from './price-ranges.ts'

const range = (fromWeight: number, toWeight: number, price = 5): PriceRange => ({
  fromWeight,
  toWeight,
  price,
})

test('ranges that cover every pound once are valid in any order', () => {
  expect(priceRangesProblem([range(1, 70)], 70)).toBeNull()
  expect(priceRangesProblem([range(21, 70), range(1, 1, 0), range(2, 20, 6.5)], 70)).toBeNull()
  expect(sortPriceRanges([range(21, 70), range(1, 20)]).map(one => one.fromWeight)).toEqual([1, 21])
})

test.each<[string, PriceRange[]]>([
  ['no range at all', []],
  ['a beginning at 0', [range(0, 70)]],
  ['a beginning at 2', [range(2, 70)]],
  ['an end before the maximum', [range(1, 69)]],
  ['an end beyond the maximum', [range(1, 71)]],
  ['a gap', [range(1, 10), range(12, 70)]],
  ['an overlap', [range(1, 10), range(10, 70)]],
  ['the same range twice', [range(1, 70), range(1, 70)]],
  ['a range upside down', [range(1, 10), range(11, 5), range(6, 70)]],
  ['half pounds', [range(1, 10.5), range(11.5, 70)]],
  ['what is not a number', [range(1, NaN), range(NaN, 70)]],
])('%s is refused with the alert', (_what, ranges) => {
  expect(priceRangesProblem(ranges, 70)).toBe(PRICE_RANGES_PROBLEM)
})

test.each([-0.01, 1.005, NaN, Infinity])('a price of %s is refused', price => {
  expect(priceRangesProblem([range(1, 70, price)], 70)).toBe(PRICE_PROBLEM)
})

test('ranges are written lightest first, with their prices', () => {
  expect(priceRangesText([range(21, 70, 9), range(1, 20, 5)])).toBe(
    '1 to 20 lb $5.00, 21 to 70 lb $9.00',
  )
  expect(priceRangesText([range(70, 70, 1234.5)])).toBe('70 lb $1,234.50')
  expect(priceRangesText([])).toBe('none')
})

test('a price for each pound is summed up, and a few ranges are listed', () => {
  const pounds = Array.from({ length: 70 }, (_, n) => range(n + 1, n + 1, 5 + n / 4))
  expect(priceRangesSummary(pounds)).toBe('70 weights, $5.00 to $22.25')
  expect(priceRangesSummary(pounds.map(one => ({ ...one, price: 6 })))).toBe('70 weights, $6.00')
  expect(priceRangesSummary([range(1, 20, 5), range(21, 70, 9)])).toBe(
    '1 to 20 lb $5.00, 21 to 70 lb $9.00',
  )
})
