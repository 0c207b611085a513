import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cents } from './money.ts'
import {
  priceByRule,
  PriceRuleInput,
  pricesByRule,
  ROUNDINGS,
  ruleFrom,
  ruleText,
  ruleWire,
} from './price-rules.ts'
import type { PriceRule } from './price-rules.ts'
import { priceParcel } from './pricing.ts'

const rule = (more: Partial<PriceRule> = {}): PriceRule => ({
  basisPoints: 2_000,
  fixedCents: 0,
  floorCents: 0,
  rounding: 'cent',
  ...more,
})

const Rule = fc.record({
  basisPoints: fc.integer({ min: 0, max: 100_000 }),
  fixedCents: fc.integer({ min: 0, max: 100_000 }),
  floorCents: fc.integer({ min: 0, max: 100_000 }),
  rounding: fc.constantFrom(...ROUNDINGS),
})
const Cost = fc.integer({ min: 0, max: 10_000_000 }).map(cents)

test('a cost of $6.20 and 20% give $7.44', () => {
  expect(priceByRule(rule(), cents(620))).toBe(744)
})

test('a part of a cent is charged as a cent', () => {
  expect(priceByRule(rule({ basisPoints: 1 }), cents(1))).toBe(2)
  expect(priceByRule(rule({ basisPoints: 1_250 }), cents(333))).toBe(375)
})

describe('rounding only raises', () => {
  test.each([
    ['five', 744, 745],
    ['five', 745, 745],
    ['nine', 744, 749],
    ['nine', 749, 749],
    ['nine', 750, 759],
  ] as const)('to %s: %d becomes %d cents', (rounding, cost, price) => {
    expect(priceByRule(rule({ basisPoints: 0, rounding }), cents(cost))).toBe(price)
  })
})

test('no price is below its floor or its cost, and the rounding is kept', () => {
  fc.assert(
    fc.property(Rule, Cost, (one, cost) => {
      const price = priceByRule(one, cost)
      expect(price).toBeGreaterThanOrEqual(Math.max(one.floorCents, cost))
      // BigInt: the sum to the part of a cent, which the price covers by less than a rounding step.
      const exact =
        BigInt(cost) * BigInt(10_000 + one.basisPoints) + BigInt(one.fixedCents) * 10_000n
      expect(BigInt(price) * 10_000n >= exact).toBe(true)
      const least = Math.max(one.floorCents, Number((exact + 9_999n) / 10_000n))
      expect(price - least).toBeLessThan({ cent: 1, five: 5, nine: 10 }[one.rounding])
      if (one.rounding === 'five') expect(price % 5).toBe(0)
      if (one.rounding === 'nine') expect(price % 10).toBe(9)
    }),
    { numRuns: 2_000 },
  )
})

test('a higher cost never gives a lower price, and the same cost gives the same cents', () => {
  fc.assert(
    fc.property(Rule, Cost, Cost, (one, a, b) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)].map(cents)
      expect(priceByRule(one, low!)).toBeLessThanOrEqual(priceByRule(one, high!))
      expect(priceByRule(one, a)).toBe(priceByRule({ ...one }, a))
    }),
    { numRuns: 2_000 },
  )
})

test('a rule survives its way over the wire', () => {
  fc.assert(
    fc.property(Rule, one => {
      expect(ruleFrom(PriceRuleInput.parse(ruleWire(one)))).toEqual(one)
    }),
  )
})

test.each([
  [{ percent: 12.345 }, 'two decimals'],
  [{ percent: -1 }, '>=0'],
  [{ fixed: 0.005 }, 'two decimals'],
  [{ floor: 1_001 }, '<=1000'],
])('a rule with %j is refused', (wrong, text) => {
  const given = { percent: 20, fixed: 0, floor: 0, rounding: 'cent', ...wrong }
  expect(PriceRuleInput.safeParse(given).error?.issues[0]?.message).toContain(text)
})

test('every parcel costs what the rule makes of its cost, by weight and by zone', () => {
  const one = rule({ fixedCents: 50, rounding: 'five' })
  const costs = {
    ranges: [],
    table: {
      steps: [
        { toOz: 8, cents: [null, 301, null] },
        { toOz: 160, cents: [null, 402, 903] },
      ],
      dimDivisor: 166,
    },
  }
  const service = { name: 'Ground', maxWeight: 10 }
  const zips = { fromZip: '10001', toZip: '90210' }
  for (const zone of [1, 2])
    for (const weightLb of [0.3, 0.5, 0.6, 10]) {
      const cost = priceParcel({ ...service, ...costs }, { weightLb, ...zips }, () => zone)
      const sold = priceParcel(
        { ...service, ...pricesByRule(one, costs) },
        { weightLb, ...zips },
        () => zone,
      )
      expect('price' in sold && sold.price).toBe('price' in cost && priceByRule(one, cost.price))
    }
  const ranges = [{ from: 1, to: 10, cents: 620 }]
  expect(pricesByRule(rule(), { ranges, table: null })).toEqual({
    ranges: [{ from: 1, to: 10, cents: 744 }],
    table: null,
  })
})

test('a rule reads as a sentence', () => {
  expect(ruleText(rule({ fixedCents: 50, floorCents: 400, rounding: 'nine' }))).toBe(
    'Cost + 20% + $0.50, at least $4.00, up to a price that ends in 9',
  )
  expect(ruleText(rule({ basisPoints: 0 }))).toBe('Cost')
  expect(ruleText(rule({ basisPoints: 1_250 }))).toBe('Cost + 12.5%')
})
