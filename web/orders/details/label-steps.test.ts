import { expect, test } from 'vitest'
import type { LabelDetails, LabelStep } from '#contract/order-details.ts'
import type { Order } from '#contract/orders.ts'
import { labelMoney, shownSteps } from './label-steps.ts'

const AT = '2026-11-22T10:00:00.000Z'
const step = (kind: LabelStep['kind'], more: Partial<LabelStep> = {}): LabelStep => ({
  at: AT,
  kind,
  ...more,
})
const held = step('held', { amount: 9.5 })
const bought = step('bought', { amount: 9.5 })

const label = (
  timeline: LabelStep[],
  order: Partial<Order> = {},
  more: Partial<LabelDetails> = {},
): LabelDetails => ({
  order: {
    _id: '81',
    user_id: '1',
    service_name: 'USPS Priority Mail',
    courier: 'usps',
    manifested: false,
    sender: {},
    receiver: {},
    package: {},
    tracking_number: null,
    pdfName: null,
    createdAt: AT,
    status: 'completed',
    batch_id: null,
    row: null,
    price: 9.5,
    reason: null,
    void: null,
    voidSubmittedAt: null,
    tracking: null,
    trackingPage: null,
    ...order,
  },
  serviceUid: 'usps:PRIORITY_MAIL',
  apiKey: null,
  orderRef: null,
  replacedBy: null,
  purchasedAt: AT,
  voidedAt: null,
  voidableUntil: null,
  timeline,
  ...more,
})
const words = (details: LabelDetails) =>
  shownSteps(details).map(({ at, text }) => (at === null ? `next: ${text}` : text))

test('a bought label waits for its first scan', () => {
  expect(words(label([step('ordered'), held, bought]))).toEqual([
    'Ordered',
    'Label bought',
    'next: The carrier scans the parcel',
    'next: Delivered',
  ])
})

test('a parcel on its way is to be delivered, and a delivered one is at its end', () => {
  const at = (status: 'in_transit' | 'delivered') =>
    label([step('ordered'), held, bought, step('tracked', { tracking: status })], {
      tracking: { status, detail: null, at: AT },
    })
  expect(words(at('in_transit')).slice(2)).toEqual(['In transit', 'next: Delivered'])
  expect(words(at('delivered')).slice(2)).toEqual(['Delivered'])
  expect(shownSteps(at('delivered')).at(-1)?.tone).toBe('green')
})

test('a row of a bulk order that failed and was corrected says where it went', () => {
  const failed = label(
    [step('ordered'), held, step('released', { amount: 9.5 }), step('replaced')],
    { status: 'cancelled', batch_id: '5', row: 1200 },
    { replacedBy: '6' },
  )
  expect(words(failed)).toEqual([
    'Ordered in bulk order 5, row 1,200',
    'Not bought. $9.50 is back in your balance',
    'Corrected and ordered again in bulk order 6',
  ])
})

test('a void says who asked for it and what comes back', () => {
  const voiding = label([step('void-requested', { by: 'support' })], { void: 'requested' })
  expect(words(voiding)).toEqual([
    'Void requested by support',
    'next: $9.50 comes back to your balance',
  ])
})

test('the money of a label adds up to what it cost', () => {
  expect(labelMoney([held, bought])).toEqual({
    lines: [{ at: AT, kind: 'held', dollars: -9.5 }],
    sum: 9.5,
    isSpent: true,
  })
  const refunded = labelMoney([held, bought, step('refunded', { amount: 9.5 })])
  expect(refunded).toMatchObject({ sum: 0, isSpent: true })
  expect(refunded.lines.map(({ dollars }) => dollars)).toEqual([-9.5, 9.5])
  expect(labelMoney([held])).toMatchObject({ sum: 9.5, isSpent: false })
  const retried = [held, step('released', { amount: 9.5 }), step('retried'), held]
  expect(labelMoney(retried)).toMatchObject({ sum: 9.5, isSpent: false })
})
