import { expect, test } from 'vitest'
import type { Order, VoidStatus } from '#contract/orders.ts'
import type { TrackingStatus } from '#contract/tracking.ts'
import { canVoid, summarizeVoids, totalPriceDollars } from './void-summary.ts'

const label = (id: number, price = 6.5): Order => ({
  _id: String(id),
  user_id: '1',
  service_name: 'USPS Ground Advantage',
  courier: 'usps',
  manifested: false,
  sender: {},
  receiver: {},
  package: {},
  tracking_number: null,
  pdfName: null,
  createdAt: '2026-11-21T10:00:00.000Z',
  status: 'completed',
  batch_id: null,
  row: null,
  price,
  reason: null,
  void: null,
  voidSubmittedAt: null,
  tracking: null,
  trackingPage: null,
})
const result = (id: number, became: VoidStatus, message = '') => ({
  orderId: String(id),
  void: became,
  message,
})

test('labels are grouped by result, and only completed refunds count as refunded', () => {
  const orders = [label(1, 9.5), label(2, 0.1), label(3, 0.2), label(4)]
  const answers = [
    result(4, 'refused', 'The carrier refused'),
    result(2, 'voided'),
    result(1, 'requested'),
    result(3, 'voided'),
  ]
  expect(summarizeVoids(orders, answers)).toEqual({
    voided: 2,
    refunded: 0.3,
    waiting: 1,
    refused: [{ order: orders[3], why: 'The carrier refused' }],
  })
})

test('a label without a result counts as waiting', () => {
  expect(summarizeVoids([label(1)], [])).toEqual({
    voided: 0,
    refunded: 0,
    waiting: 1,
    refused: [],
  })
})

test('bought labels can be voided, also again after a refusal', () => {
  const tracking = null
  expect(canVoid({ status: 'completed', void: null, tracking })).toBe(true)
  expect(canVoid({ status: 'completed', void: 'refused', tracking })).toBe(true)
  expect(canVoid({ status: 'completed', void: 'requested', tracking })).toBe(false)
  expect(canVoid({ status: 'cancelled', void: 'voided', tracking })).toBe(false)
  expect(canVoid({ status: 'pending', void: null, tracking })).toBe(false)
})

test('a label counts as used once its parcel is in transit', () => {
  const seen = (status: TrackingStatus) =>
    canVoid({ status: 'completed', void: null, tracking: { status, detail: null, at: null } })
  expect([seen('unknown'), seen('pre_transit'), seen('in_transit'), seen('delivered')]).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('a sum of dollars is exact to the cent', () => {
  expect(totalPriceDollars([label(1, 0.1), label(2, 0.2), label(3, 29)])).toBe(29.3)
})
