import { expect, test } from 'vitest'
import { lengthPlusGirth, parcelFault, sizeFault } from './parcel-rules.ts'

test('girth is twice the sum of the two shorter sides, in any order of the sides', () => {
  for (const [length, width, height] of [
    [30, 20, 10],
    [20, 10, 30],
    [10, 30, 20],
  ] as const)
    expect(lengthPlusGirth({ length, width, height })).toBe(90)
})

test('a parcel of exactly the greatest size is taken', () => {
  const sides = { length: 40.1, width: 22.475, height: 22.475 }
  expect(sizeFault('usps:GROUND_ADVANTAGE', sides)).toBeNull()
  expect(sizeFault('usps:GROUND_ADVANTAGE', { ...sides, length: 40.101 })?.text).toBe(
    'Length plus girth is 130.001 in; USPS Ground Advantage takes at most 130 in',
  )
})

test('Priority Mail and Express take 108 inches', () => {
  const sides = { length: 60, width: 12, height: 12.5 }
  expect(sizeFault('usps:PRIORITY_MAIL', sides)?.text).toBe(
    'Length plus girth is 109 in; USPS Priority Mail takes at most 108 in',
  )
  expect(sizeFault('usps:PRIORITY_MAIL_EXPRESS', sides)?.text).toBe(
    'Length plus girth is 109 in; USPS Priority Mail Express takes at most 108 in',
  )
})

test('no rule is invented for a service without a published one', () => {
  expect(sizeFault('other:FREIGHT', { length: 999, width: 999, height: 999 })).toBeNull()
})

test('a weight that no parcel has is refused', () => {
  const parcel = { length: 9, width: 6, height: 3 }
  expect(parcelFault('usps:PRIORITY_MAIL', { ...parcel, weight: 0.009 })?.text).toBe(
    'Weight must be at least 0.01 lb',
  )
  expect(parcelFault('usps:PRIORITY_MAIL', { ...parcel, weight: 0.01 })).toBeNull()
})
