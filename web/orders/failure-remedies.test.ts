import { expect, test } from 'vitest'
import { needsEdit, remedyFor } from './failure-remedies.ts'

test.each([
  ['Address not deliverable', 'Check street and ZIP.'],
  ['Invalid ZIP Code (toAddress.ZIPCode: 99999); for example 20260', 'Check street and ZIP.'],
  ['USPS Ground Advantage takes at most 70 lb', 'Check the weight.'],
  ['Length plus girth is 150 in; USPS Priority Mail takes at most 108 in', 'Check the size.'],
  ['ZIP code not found', 'Check street and ZIP.'],
  ['The carrier is busy', null],
  ['The carrier did not answer', null],
])('the remedy of %j is %j', (reason, remedy) => {
  expect(remedyFor(reason)).toBe(remedy)
})

test('a retry is refused again where a reason is about what its row says', () => {
  const [address, busy] = [{ reason: 'Address not found' }, { reason: 'The carrier is busy' }]
  expect(needsEdit([busy])).toBe(false)
  expect(needsEdit([address, busy])).toBe(true)
  expect(needsEdit([])).toBe(false)
})
