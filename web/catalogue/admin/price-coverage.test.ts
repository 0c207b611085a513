import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PriceRange } from '#contract/catalogue.ts'
import { priceRangesProblem } from '#contract/price-ranges.ts'
import { weightCoverage, nextPriceRange, priceAt } from './price-coverage.ts'

const range = (fromWeight: number, toWeight: number, price = 5): PriceRange => ({
  fromWeight,
  toWeight,
  price,
})

test('a new range starts above the heaviest one and ends at the maximum', () => {
  expect(nextPriceRange([], 70)).toEqual(range(1, 70, 0))
  expect(nextPriceRange([range(11, 20), range(1, 10)], 70)).toEqual(range(21, 70, 0))
  expect(nextPriceRange([range(1, 70)], 70)).toBeNull()
})

test('an unfinished range does not prevent a new one', () => {
  expect(nextPriceRange([range(1, 10), range(11, NaN)], 70)).toEqual(range(11, 70, 0))
})

const TWO = [range(21, 70, 9), range(1, 20, 5)]

test.each([
  [0.2, 5],
  [1, 5],
  [20, 5],
  [20.01, 9],
  [70, 9],
  [70.5, null],
  [71, null],
])('a parcel of %s lb pays %s', (pounds, price) => {
  expect(priceAt(TWO, pounds)).toBe(price)
})

test('a pound with two prices, or with an invalid price, has no price', () => {
  expect(priceAt([range(1, 20, 5), range(20, 70, 9)], 20)).toBeNull()
  expect(priceAt([range(1, 20, NaN)], 3)).toBeNull()
})

const spanTexts = (...ranges: PriceRange[]) =>
  weightCoverage(ranges, 70).map(({ from, to, kind }) => `${from}-${to} ${kind}`)

test.each<[string, PriceRange[], string[]]>([
  ['nothing', [], ['1-70 gap']],
  ['one range over all', [range(1, 70)], ['1-70 covered']],
  ['two side by side', TWO, ['1-20 covered', '21-70 covered']],
  ['a hole', [range(1, 10), range(12, 70)], ['1-10 covered', '11-11 gap', '12-70 covered']],
  ['a beginning and an end left out', [range(3, 60)], ['1-2 gap', '3-60 covered', '61-70 gap']],
  [
    'a shared pound',
    [range(1, 20), range(20, 70)],
    ['1-19 covered', '20-20 overlap', '21-70 covered'],
  ],
  [
    'a range inside two others',
    [range(1, 70), range(5, 10), range(8, 12)],
    ['1-4 covered', '5-12 overlap', '13-70 covered'],
  ],
  ['more than any parcel weighs', [range(0, 80)], ['0-0 beyond', '1-70 covered', '71-80 beyond']],
  ['a hole beyond the maximum', [range(1, 70), range(80, 90)], ['1-70 covered', '80-90 beyond']],
  [
    'a price far above any weight',
    [range(1, 1e15)],
    ['1-70 covered', '71-1000000000000000 beyond'],
  ],
  [
    'ranges still being typed',
    [range(1, NaN), range(9, 4), range(1, 2.5), range(1, 70)],
    ['1-70 covered'],
  ],
])('%s is recognized', (_what, ranges, seen) => {
  expect(spanTexts(...ranges)).toEqual(seen)
})

test('for any input the spans cover every pound once, and are all covered exactly when the ranges are valid', () => {
  const weight = fc.integer({ min: -3, max: 35 })
  const typed = fc.array(
    fc.tuple(weight, weight).map(([from, to]) => range(from, to)),
    { maxLength: 5 },
  )
  fc.assert(
    fc.property(typed, ranges => {
      const spans = weightCoverage(ranges, 30)
      const inside = spans
        .filter(({ kind }) => kind !== 'beyond')
        .flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, n) => from + n))
      expect(inside).toEqual(Array.from({ length: 30 }, (_, n) => n + 1))
      const whole = ranges.every(({ fromWeight, toWeight }) => fromWeight <= toWeight)
      expect(whole && spans.every(({ kind }) => kind === 'covered')).toBe(
        priceRangesProblem(ranges, 30) === null,
      )
    }),
  )
})
