import { expect, test } from 'vitest'
import { belowCost, belowCostText } from './price-below-cost.ts'
import type { Prices } from './pricing.ts'

const flat = (...ranges: [from: number, to: number, cents: number][]): Prices => ({
  ranges: ranges.map(([from, to, cents]) => ({ from, to, cents })),
  table: null,
})
const byZone = (...steps: [toOz: number, ...(number | null)[]][]): Prices => ({
  ranges: [],
  table: { steps: steps.map(([toOz, ...cents]) => ({ toOz, cents })), dimDivisor: null },
})

test('prices at or above their costs are no warning', () => {
  expect(belowCost(flat([1, 70, 650]), flat([1, 70, 650]))).toBeNull()
  expect(belowCost(flat([1, 70, 650]), byZone([8, 400], [1120, 600]))).toBeNull()
})

test('one price for all weights is below the costs of the heavy ones, and the worst is named', () => {
  const found = belowCost(flat([1, 70, 650]), flat([1, 4, 500], [5, 20, 700], [21, 70, 900]))
  expect(found).toEqual({ most: 250, toOz: 1120, zone: 0 })
  expect(belowCostText('USPS Ground Advantage', found!)).toBe(
    'The price of USPS Ground Advantage is below your uploaded cost by up to $2.50 at 70 lb',
  )
})

test('a price for any zone is held against the cost of each zone', () => {
  const costs = byZone([8, null, 400, 500], [16, null, 500, 700])
  expect(belowCost(flat([1, 1, 600]), costs)).toEqual({ most: 100, toOz: 16, zone: 2 })
  expect(belowCostText('Priority', { most: 5, toOz: 8, zone: 2 })).toBe(
    'The price of Priority is below your uploaded cost by up to $0.05 at 8 oz to zone 2',
  )
})

test('weights and zones without a price or without a cost are no loss', () => {
  expect(belowCost(flat([1, 20, 650]), flat([1, 20, 600], [21, 70, 9_900]))).toBeNull()
  expect(belowCost(byZone([1120, null, 650, null]), byZone([1120, null, 600, 900]))).toBeNull()
})
