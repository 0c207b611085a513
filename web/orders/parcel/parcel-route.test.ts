import { expect, test } from 'vitest'
import type { ParcelEvent } from '#contract/parcel-pages.ts'
import type { TrackingStatus } from '#contract/tracking.ts'
import { parcelRoute } from './parcel-route.ts'

const route = (status: TrackingStatus, { isVoided = false, events = [] as ParcelEvent[] } = {}) =>
  parcelRoute({ status, isVoided, events })

test('a parcel moves from its sender to its receiver', () => {
  const places = (['unknown', 'in_transit', 'out_for_delivery', 'delivered'] as const).map(
    status => route(status).at,
  )
  expect(places).toEqual(['start', 'middle', 'near', 'end'])
  expect(route('delivered').state).toBe('arrived')
})

test('a voided label is at its sender, also after scans', () => {
  expect(route('in_transit', { isVoided: true })).toEqual({
    at: 'start',
    state: 'stopped',
    place: '',
  })
  expect(route('failure').state).toBe('stopped')
})

test('the place is that of the latest scan that names one', () => {
  const scan = (place: string): ParcelEvent => ({ at: '1', status: 'in_transit', text: '', place })
  expect(
    route('in_transit', { events: [scan(''), scan('Fresno, CA'), scan('Reno, NV')] }).place,
  ).toBe('Fresno, CA')
})
