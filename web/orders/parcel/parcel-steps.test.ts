import { expect, test } from 'vitest'
import type { ParcelEvent } from '#contract/parcel-pages.ts'
import type { TrackingStatus } from '#contract/tracking.ts'
import { parcelSteps } from './parcel-steps.ts'

const LABEL_AT = '2026-11-20T15:00:00Z'
const scan = (at: string, status: TrackingStatus, text = ''): ParcelEvent => ({
  at,
  status,
  text,
  place: 'Fresno, CA',
})
/** `events` from the oldest. */
const steps = (status: TrackingStatus, events: ParcelEvent[] = [], isVoided = false) =>
  parcelSteps({ status, isVoided, labelAt: LABEL_AT, events: events.toReversed() })
const shown = (status: TrackingStatus) => steps(status).map(({ name, state }) => [name, state])
const scansOf = (status: TrackingStatus, events: ParcelEvent[]) =>
  steps(status, events).map(({ name, scans }) => [name, scans.map(({ at }) => at)])

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

test('the label has the time when it was made, before any scan', () => {
  expect(scansOf('unknown', [])[0]).toEqual(['Label created', [LABEL_AT]])
})

test('each scan is at the step that the parcel had reached', () => {
  expect(
    scansOf('delivered', [
      scan('1', 'pre_transit'),
      scan('2', 'in_transit'),
      scan('3', 'unknown'),
      scan('4', 'out_for_delivery'),
      scan('5', 'delivered'),
    ]),
  ).toEqual([
    ['Label created', [LABEL_AT, '1']],
    ['In transit', ['2', '3']],
    ['Out for delivery', ['4']],
    ['Delivered', ['5']],
  ])
})

test('a second try changes no order: scans stay from the oldest to the newest, and none is ahead', () => {
  const events = [
    scan('1', 'in_transit'),
    scan('2', 'out_for_delivery'),
    scan('3', 'failure'),
    scan('4', 'in_transit'),
  ]
  expect(scansOf('in_transit', events)).toEqual([
    ['Label created', [LABEL_AT]],
    ['In transit', ['1', '2', '3', '4']],
    ['Out for delivery', []],
    ['Delivered', []],
  ])
  expect(scansOf('out_for_delivery', [...events, scan('5', 'out_for_delivery')])[2]).toEqual([
    'Out for delivery',
    ['2', '3', '4', '5'],
  ])
})

test('a scan does not repeat the name of its step, and has the words of its status without others', () => {
  const texts = steps('in_transit', [
    scan('1', 'in_transit'),
    scan('2', 'in_transit', 'Arrived at facility'),
    scan('3', 'failure'),
  ])[1]!.scans.map(({ text }) => text)
  expect(texts).toEqual(['', 'Arrived at facility', 'Delivery failed'])
})

test('what is ahead is explained until the first scan', () => {
  expect(steps('unknown').map(({ explain }) => explain === undefined)).toEqual([
    true,
    false,
    false,
    false,
  ])
  for (const status of ['in_transit', 'failure', 'return_to_sender'] as const)
    expect(steps(status).every(({ explain }) => explain === undefined)).toBe(true)
  expect(
    steps('in_transit', [scan('1', 'in_transit')]).every(({ explain }) => explain === undefined),
  ).toBe(true)
})

test('a delivered parcel has all steps behind it', () => {
  expect(shown('delivered').every(([, state]) => state === 'done')).toBe(true)
})

test('a parcel that goes back, could not be delivered or is void stops there', () => {
  expect(shown('return_to_sender').at(-1)).toEqual(['Returning to sender', 'stopped'])
  expect(shown('failure')[2]).toEqual(['Delivery failed', 'stopped'])
  expect(shown('cancelled').at(-1)).toEqual(['Cancelled', 'stopped'])
  const voided = steps('in_transit', [scan('1', 'in_transit')], true)
  expect(voided.map(({ name, state }) => [name, state])).toEqual([
    ['Label created', 'done'],
    ['Label voided', 'stopped'],
  ])
})
