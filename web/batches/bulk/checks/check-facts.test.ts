import { expect, test } from 'vitest'
import { checkFacts } from './check-facts.ts'

const NOTHING = { grouping: null, seen: null, causes: [], warnings: 0, leftOut: 0, notes: 0 }

test('the line of a phone says how much is to be checked, what costs money first', () => {
  expect(checkFacts(NOTHING)).toEqual([])
  expect(
    checkFacts({
      grouping: 'order',
      seen: 12,
      causes: ['3 rows: no sender', '1 row: no size'],
      warnings: 1,
      leftOut: 4,
      notes: 1,
    }),
  ).toEqual([
    '12 rows with a label',
    '2 causes of errors',
    '1 row with a warning',
    'One label for each order',
    '4 lines left out',
    '1 note',
  ])
})

test('a single cause is said itself', () => {
  expect(checkFacts({ ...NOTHING, causes: ['1 row: To Zip is required'] })).toEqual([
    '1 row: To Zip is required',
  ])
})
