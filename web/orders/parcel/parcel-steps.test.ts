import { expect, test } from 'vitest'
import type { TrackingStatus } from '#contract/tracking.ts'
import { parcelSteps } from './parcel-steps.ts'

const shown = (status: TrackingStatus) =>
  parcelSteps(status).map(({ name, state }) => [name, state])

test('a parcel on its way has its label behind it and the delivery ahead', () => {
  expect(shown('in_transit')).toEqual([
    ['Label created', 'done'],
    ['In transit', 'current'],
    ['Out for delivery', 'ahead'],
    ['Delivered', 'ahead'],
  ])
  expect(shown('pre_transit')[0]).toEqual(['Label created', 'current'])
  expect(shown('available_for_pickup')[2]).toEqual(['Ready for pickup', 'current'])
})

test('a delivered parcel has all steps behind it', () => {
  expect(shown('delivered').every(([, state]) => state === 'done')).toBe(true)
})

test('a parcel that goes back, or could not be delivered, stops there', () => {
  expect(shown('return_to_sender').at(-1)).toEqual(['Returning to sender', 'stopped'])
  expect(shown('failure')[2]).toEqual(['Delivery failed', 'stopped'])
  expect(shown('cancelled')).toEqual([])
})
