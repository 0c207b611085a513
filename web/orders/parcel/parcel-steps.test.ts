import { expect, test } from 'vitest'
import type { TrackingStatus } from '#contract/tracking.ts'
import { parcelSteps } from './parcel-steps.ts'

const shown = (status: TrackingStatus) =>
  parcelSteps(status, []).map(({ name, state }) => [name, state])

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

test('a step that is reached says the day of its first scan', () => {
  const steps = parcelSteps('out_for_delivery', [
    { at: '2026-11-24T15:00:00Z', status: 'out_for_delivery' },
    { at: '2026-11-23T15:00:00Z', status: 'in_transit' },
    { at: '2026-11-22T15:00:00Z', status: 'in_transit' },
  ])
  expect(steps.map(({ text }) => text)).toEqual([
    undefined,
    'Sun, Nov 22',
    'Tue, Nov 24',
    undefined,
  ])
})

test('a delivered parcel has all steps behind it', () => {
  expect(shown('delivered').every(([, state]) => state === 'done')).toBe(true)
})

test('a parcel that goes back, or could not be delivered, stops there', () => {
  expect(shown('return_to_sender').at(-1)).toEqual(['Returning to sender', 'stopped'])
  expect(shown('failure')[2]).toEqual(['Delivery failed', 'stopped'])
  expect(shown('cancelled')).toEqual([])
})
