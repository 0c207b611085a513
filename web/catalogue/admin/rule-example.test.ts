import { expect, test } from 'vitest'
import type { ServiceCosts } from '#contract/price-tables.ts'
import { ruleExamples } from './rule-example.ts'

const rule = { basisPoints: 2_000, fixedCents: 0, floorCents: 0, rounding: 'cent' } as const
const costs = (more: Partial<ServiceCosts>): ServiceCosts => ({
  uid: 'usps:GROUND_ADVANTAGE',
  version: 1,
  prices: [],
  table: null,
  reason: 'contract',
  setBy: { _id: '1', name: 'Ada' },
  createdAt: '2026-11-23T00:00:00Z',
  ...more,
})

test('2 lb that cost $6.20 are sold at $7.44, and weights without a cost are left out', () => {
  const prices = [{ fromWeight: 1, toWeight: 5, price: 6.2 }]
  expect(ruleExamples(rule, costs({ prices }))).toEqual(
    [1, 2, 5].map(pounds => ({ pounds, zone: null, cost: 620, price: 744 })),
  )
})

test('costs by zone show the nearest and the farthest zone', () => {
  const steps = [{ toOz: 160, prices: [null, 3, 4.01] }]
  expect(ruleExamples(rule, costs({ table: { steps, dimDivisor: 166 } }))).toEqual([
    { pounds: 1, zone: 1, cost: 300, price: 360 },
    { pounds: 2, zone: 2, cost: 401, price: 482 },
    { pounds: 5, zone: 1, cost: 300, price: 360 },
  ])
})
