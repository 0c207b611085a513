import { expect, test } from 'vitest'
import type { PriceRange } from '#contract/catalogue.ts'
import { toRanges, draftRangesFrom, sameRanges, invalidRangeFields } from './price-draft.ts'
import type { DraftRange } from './price-draft.ts'

const range = (fromWeight: number, toWeight: number, price = 5): PriceRange => ({
  fromWeight,
  toWeight,
  price,
})
const row = (
  key: number,
  from: DraftRange['from'],
  to: DraftRange['to'],
  price: DraftRange['price'] = 5,
): DraftRange => ({
  key,
  from,
  to,
  price,
})
const wrong = (...rows: DraftRange[]) => [...invalidRangeFields(rows, 70)].toSorted()

test('the editor returns the ranges unchanged, lightest first', () => {
  const ranges = [range(21, 70, 9.5), range(1, 20)]
  expect(draftRangesFrom(ranges, 7).map(({ key }) => key)).toEqual([7, 8])
  expect(toRanges(draftRangesFrom(ranges))).toEqual(ranges.toReversed())
  expect(sameRanges(toRanges(draftRangesFrom(ranges)), ranges)).toBe(true)
  expect(sameRanges(ranges, [range(21, 70, 9.51), range(1, 20)])).toBe(false)
  expect(sameRanges(ranges, ranges.slice(1))).toBe(false)
})

test('an empty field is not a number, and never zero', () => {
  expect(toRanges([row(0, '', ' ', '')])).toEqual([range(NaN, NaN, NaN)])
  expect(sameRanges([range(1, 70, NaN)], [range(1, 70, NaN)])).toBe(false)
})

test('rows that cover every pound once are valid in any order', () => {
  expect(wrong(row(0, 21, 70), row(1, 1, '20', '0'))).toEqual([])
})

test.each<[string, DraftRange[], string[]]>([
  ['a gap', [row(0, 1, 10), row(1, 12, 70)], ['1.from']],
  ['an overlap', [row(0, 1, 20), row(1, 20, 70)], ['1.from']],
  ['a late beginning', [row(0, 2, 70)], ['0.from']],
  ['an early end', [row(0, 1, 20), row(1, 21, 60)], ['1.to']],
  ['an end beyond the maximum', [row(0, 1, 71)], ['0.to']],
  ['a range upside down', [row(0, 1, 20), row(1, 21, 3), row(2, 22, 70)], ['1.to', '2.from']],
  ['an empty beginning', [row(0, '', 70), row(1, 1, 20)], ['0.from']],
  ['no price', [row(0, 1, 70, '')], ['0.price']],
  ['a price with three decimals', [row(0, 1, 70, 1.005)], ['0.price']],
])('%s is marked at its field', (_what, rows, fields) => {
  expect(wrong(...rows)).toEqual(fields)
})
