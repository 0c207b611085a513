import { expect, test } from 'vitest'
import { parseTracking } from './tracking.ts'

const NUMBER = '9400109104250532908587'
const event = (eventType: string, more: object = {}) => ({
  eventType,
  eventTimestamp: '2026-11-18T18:31:00',
  GMTTimestamp: '2026-11-18T00:31:21Z',
  GMTOffset: '-06:00',
  eventCountry: null,
  eventCity: 'NEW BERLIN',
  eventState: 'WI',
  eventZIP: '53151',
  firm: null,
  name: 'J SMITH',
  authorizedAgent: 'false',
  eventCode: 'SF',
  additionalProp: null,
  ...more,
})
const details = (more: object = {}) => ({
  trackingNumber: NUMBER,
  mailClass: 'USPS Ground Advantage<SUP>&#153;</SUP>',
  status: 'Departed Post Office',
  statusCategory: 'Moving Through Network',
  statusSummary: 'Your item departed our NEW BERLIN, WI 53151 post office.',
  expectedDeliveryTimeStamp: '2026-11-29T00:00:00',
  trackingEvents: [event('Departed Post Office')],
  ...more,
})
const parse = (body: unknown, status = 200) =>
  parseTracking({ status, headers: new Headers(), body, bytes: new Uint8Array() }, NUMBER)

test('events have their true time, city and state, and no name or ZIP code', () => {
  const result = parse(
    details({
      trackingEvents: [
        event('Departed Post Office'),
        event('Arrived at USPS Regional Facility', {
          eventTimestamp: '2026-11-18T01:44:00',
          eventCity: 'OAK CREEK WI DISTRIBUTION CENTER',
          eventState: null,
        }),
        event('Shipping Label Created, USPS Awaiting Item', {
          eventTimestamp: '2026-11-15T09:27:00',
          GMTTimestamp: undefined,
          GMTOffset: undefined,
          eventCity: null,
          eventState: null,
          eventCode: 'GX',
        }),
        { eventType: 7 },
        event('No time', { eventTimestamp: 'soon', GMTTimestamp: null }),
      ],
    }),
  )
  expect(result).toEqual({
    status: 'in_transit',
    detail: 'Your item departed our NEW BERLIN, WI 53151 post office.',
    at: new Date('2026-11-19T00:31:00Z'),
    expectedDay: '2026-11-29',
    events: [
      {
        at: new Date('2026-11-15T09:27:00Z'),
        status: 'pre_transit',
        text: 'Shipping Label Created, USPS Awaiting Item',
        place: '',
      },
      {
        at: new Date('2026-11-18T07:44:00Z'),
        status: 'in_transit',
        text: 'Arrived at USPS Regional Facility',
        place: 'Oak Creek WI Distribution Center',
      },
      {
        at: new Date('2026-11-19T00:31:00Z'),
        status: 'in_transit',
        text: 'Departed Post Office',
        place: 'New Berlin, WI',
      },
    ],
  })
  expect(JSON.stringify(result!.events)).not.toMatch(/SMITH|53151/)
})

test.each([
  ['Pre-Shipment', 'Pre-Shipment, USPS Awaiting Item', 'pre_transit'],
  ['Accepted', 'USPS in possession of item', 'in_transit'],
  ['Moving Through Network', 'In Transit to Next Facility', 'in_transit'],
  ['Out for Delivery', 'Out for Delivery, Expected Delivery by 9:00pm', 'out_for_delivery'],
  ['Available for Pickup', 'Ready for Pickup', 'available_for_pickup'],
  ['Delivery Attempt', 'Notice Left (No Authorized Recipient Available)', 'in_transit'],
  ['Delivered', 'Delivered, In/At Mailbox', 'delivered'],
  ['Delivered', 'Delivered, To Original Sender', 'return_to_sender'],
  ['Alert', 'Return to Sender Processed', 'return_to_sender'],
  ['Alert', 'Undeliverable as Addressed', 'failure'],
  ['', 'Delivered, Front Door/Porch', 'delivered'],
])('category %s with status %s', (statusCategory, status, ours) => {
  expect(parse(details({ statusCategory, status, trackingEvents: [] }))?.status).toBe(ours)
})

test('a parcel at a shipping partner is under way, though USPS still awaits it', () => {
  const partner = event('Arrived Shipping Partner Facility, USPS Awaiting Item', {
    eventCode: '81',
  })
  const pre = details({ status: 'Pre-Shipment', statusCategory: 'Pre-Shipment' })
  const label = event('Shipping Label Created', { eventCode: 'GX' })
  expect(parse({ ...pre, trackingEvents: [partner, label] })?.status).toBe('in_transit')
  expect(parse({ ...pre, trackingEvents: [label] })?.status).toBe('pre_transit')
})

test('an unscanned number has no event; every other answer tells nothing', () => {
  const problem = (detail: string) => ({ error: { code: '400', message: detail, errors: [] } })
  const notYet = problem('12: A status update is not yet available on your package.')
  expect(parse(notYet, 400)).toEqual({ status: 'unknown', detail: null, at: null, events: [] })
  expect(parse(problem('The tracking number may be incorrect'), 400)).toBeNull()
  expect(parse(problem('Quota exceeded'), 429)).toBeNull()
  expect(parse('<html>', 200)).toBeNull()
  expect(parse(details({ trackingNumber: '9400109104250532908588' }))).toBeNull()
  expect(parse({ trackingNumber: NUMBER })).toBeNull()
})
