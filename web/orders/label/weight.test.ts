import { expect, test } from 'vitest'
import { poundsOf } from './weight.ts'

test.each([
  ['2', '4', '2.25'],
  ['', '8', '0.5'],
  ['1', '', '1'],
  ['1.', '', '1.'],
  ['', '', ''],
  ['1.5', '8', '2'],
  ['0', '20', '1.25'],
  ['3', '1', '3.0625'],
  ['3', '0.1', '3.0063'],
  ['2', '-1', '-1'],
  ['-1', '20', '-1'],
])('%s lb and %s oz are %s lb', (pounds, ounces, sum) => {
  expect(poundsOf({ pounds, ounces })).toBe(sum)
})
