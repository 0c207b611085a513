import { expect, test } from 'vitest'
import type { PricedService } from '#contract/pricing.ts'
import { addToImpact, byDifference, marginOf, newImpact } from './impact-rules.ts'
import type { NewPrices } from './impact-rules.ts'
import type { BoughtLabel } from './impact-store.ts'

const before: PricedService = {
  name: 'Ground',
  maxWeight: 70,
  ranges: [{ from: 1, to: 70, cents: 650 }],
  table: null,
}
const after: PricedService = {
  ...before,
  table: {
    steps: [
      { toOz: 8, cents: [null, 400] },
      { toOz: 1120, cents: [null, 900] },
    ],
    dimDivisor: 166,
  },
}
const changes = new Map<string, NewPrices>([['usps:GROUND', { before, after }]])
const label = (more: Partial<BoughtLabel> = {}): BoughtLabel => ({
  userId: 1,
  uid: 'usps:GROUND',
  charged: 600,
  cost: 450,
  length: 6,
  width: 6,
  height: 6,
  weight: 0.5,
  fromZip: '10001',
  toZip: '10002',
  isOwn: false,
  ...more,
})
const zoneOne = () => 1

function impactOf(...labels: BoughtLabel[]) {
  const impact = newImpact(changes)
  for (const one of labels) addToImpact(impact, changes, one, zoneOne)
  return impact
}

test('each label is priced by the prices of now and by the new ones, for its customer and in all', () => {
  const impact = impactOf(label(), label({ weight: 5 }), label({ userId: 2, weight: 5 }))
  expect(impact.totals).toEqual({ labels: 3, before: 1_950, after: 2_200, unsold: 0 })
  expect(impact.customers.get(1)).toEqual({ labels: 2, before: 1_300, after: 1_300, unsold: 0 })
  expect(byDifference(impact.customers).map(([id]) => id)).toEqual([2, 1])
})

test('margins are of the labels whose cost is known, per range of the new prices', () => {
  const impact = impactOf(label(), label({ cost: null }), label({ weight: 5, cost: 1_000 }))
  const service = impact.services.get('usps:GROUND')!
  expect(marginOf(service.costedBefore, service)).toBe(2 * 650 - 1_450)
  expect(marginOf(service.costedAfter, service)).toBe(400 + 900 - 1_450)
  expect(service.steps.map(step => [step.labels, marginOf(step.costedAfter, step)])).toEqual([
    [2, -50],
    [1, -100],
  ])
})

test('a large, light parcel counts in the range of its dimensional weight', () => {
  const service = impactOf(label({ length: 20, width: 20, height: 20 })).services.get('usps:GROUND')
  expect(service!.steps.map(({ labels }) => labels)).toEqual([0, 1])
})

test('a label that the new prices sell no more is counted and in no sum', () => {
  const impact = newImpact(changes)
  addToImpact(impact, changes, label(), null)
  expect(impact.totals).toEqual({ labels: 0, before: 0, after: 0, unsold: 1 })
  expect(impact.services.get('usps:GROUND')!.unsold).toBe(1)
})

test('a label that the prices of now sell no more counts with what it was charged', () => {
  const swapped = new Map([['usps:GROUND', { before: after, after: before }]])
  const impact = newImpact(swapped)
  addToImpact(impact, swapped, label(), null)
  expect(impact.totals).toEqual({ labels: 1, before: 600, after: 650, unsold: 0 })
})
