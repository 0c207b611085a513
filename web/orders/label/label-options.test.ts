import { expect, test } from 'vitest'
import type { ServiceOption } from '#contract/price-options.ts'
import {
  bestServices,
  leavesOut,
  lowestOffer,
  orderedOptions,
  tickedFrom,
  wholePrice,
} from './label-options.ts'

const NOT_SOLD = { price: null, reason: 'Not for sale' }
const service = (changes: Partial<ServiceOption> = {}): ServiceOption => ({
  uid: 'ground',
  name: 'Ground',
  category: 'USPS',
  price: 6.1,
  maxWeight: 70,
  reason: null,
  signature: NOT_SOLD,
  adult: NOT_SOLD,
  saturday: NOT_SOLD,
  ...changes,
})
const sold = (price: number) => ({ price, reason: null })
const ticked = { signature: true, adult: false, saturday: true }

test('what a service does not sell is neither ordered nor priced, and the form tells', () => {
  const only = service({ signature: sold(3.7) })
  expect(orderedOptions(ticked, only)).toEqual({ signature: 'signature', saturday: false })
  expect(wholePrice(ticked, only)).toBe(9.8)
  expect(leavesOut(ticked, only)).toEqual({ signature: false, saturday: true })
  expect(orderedOptions(ticked, undefined)).toEqual({ signature: 'none', saturday: false })
})

test('an adult signature replaces the plain one, with its own price', () => {
  const both = service({ signature: sold(3.7), adult: sold(9.35), saturday: sold(0) })
  const adult = { ...ticked, adult: true }
  expect(orderedOptions(adult, both)).toEqual({ signature: 'adult', saturday: true })
  expect(wholePrice(adult, both)).toBe(15.45)
  expect(orderedOptions({ ...adult, signature: false }, both).signature).toBe('none')
  expect(orderedOptions(adult, service({ signature: sold(3.7) })).signature).toBe('signature')
})

test('a parcel that a service does not take has no price with any option', () => {
  expect(wholePrice(ticked, service({ price: null, signature: sold(3) }))).toBeNull()
})

test('the boxes of an earlier label are ticked again', () => {
  expect(tickedFrom({ signature: 'adult' })).toEqual({
    signature: true,
    adult: true,
    saturday: false,
  })
  expect(tickedFrom({})).toEqual({ signature: false, adult: false, saturday: false })
})

test('cheapest and fastest are named with the options, and only where there is a choice', () => {
  const none = { signature: false, adult: false, saturday: false }
  const ground = service({ deliveryDays: { from: 2, to: 5 }, signature: sold(9) })
  const priority = service({
    uid: 'priority',
    price: 9.5,
    deliveryDays: { from: 2, to: 3 },
    signature: sold(1),
  })
  expect(bestServices([ground, priority], none)).toEqual({
    cheapest: 'ground',
    fastest: 'priority',
  })
  expect(bestServices([ground, priority], { ...none, signature: true }).cheapest).toBe('priority')
  expect(bestServices([ground, { ...priority, price: null }], none)).toEqual({
    cheapest: null,
    fastest: null,
  })
  expect(bestServices([ground, { ...ground, uid: 'same' }], none).cheapest).toBeNull()
  // A service that leaves something out is no better choice.
  expect(bestServices([ground, priority], { ...none, saturday: true })).toEqual({
    cheapest: null,
    fastest: null,
  })
})

test('before a service is chosen, the price starts at the cheapest one that takes the parcel', () => {
  const none = { signature: false, adult: false, saturday: false }
  const priority = service({ uid: 'priority', name: 'Priority', price: 9.5, signature: sold(0) })
  const ground = service({ signature: sold(3.7) })
  expect(lowestOffer([priority, ground], none)).toEqual({ price: 6.1, service: 'Ground' })
  expect(lowestOffer([priority, ground], { ...none, signature: true })).toEqual({
    price: 9.5,
    service: 'Priority',
  })
  expect(lowestOffer([service({ price: null }), priority], none)).toEqual({
    price: 9.5,
    service: 'Priority',
  })
  expect(lowestOffer([service({ price: null })], none)).toBeNull()
  expect(lowestOffer([], none)).toBeNull()
})
