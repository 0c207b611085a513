import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dimensionalPounds, highestRanges, maxPricedWeight, priceParcel } from './pricing.ts'
import type { PricedService, PriceTable, StoredPriceRange } from './pricing.ts'
import { zoneLookup, zonesFromRows } from './zone-matrix.ts'

/** As it was before prices had steps below a pound and zones. */
function priceBefore(
  { maxWeight, ranges }: Pick<PricedService, 'maxWeight' | 'ranges'>,
  weightLb: number | null,
): number | null {
  if ((weightLb ?? 1) > maxWeight) return null
  const pounds = Math.max(1, Math.ceil(weightLb ?? 1))
  return ranges.find(({ from, to }) => from <= pounds && pounds <= to)?.cents ?? null
}

const Ranges = fc
  .array(fc.record({ span: fc.integer({ min: 1, max: 30 }), cents: fc.nat({ max: 99_999 }) }), {
    maxLength: 20,
  })
  .map(spans => {
    const ranges: StoredPriceRange[] = []
    for (const { span, cents } of spans) {
      const from = (ranges.at(-1)?.to ?? 0) + 1
      ranges.push({ from, to: from + span - 1, cents })
    }
    return ranges
  })
const Weight = fc.option(
  fc.oneof(
    fc.integer({ min: 1, max: 8_000_000 }).map(units => units / 10_000),
    fc.integer({ min: 1, max: 400 }),
  ),
)

test('any old order priced again by ranges of whole pounds gives its cents, with or without size and zones', () => {
  fc.assert(
    fc.property(Ranges, fc.integer({ min: 1, max: 400 }), Weight, (ranges, maxWeight, weightLb) => {
      const service = { name: 'Ground', maxWeight, ranges, table: null }
      const before = priceBefore(service, weightLb)
      for (const more of [
        {},
        { size: { length: 30, width: 30, height: 30 }, fromZip: '10001', toZip: '90210' },
      ]) {
        const now = priceParcel(service, { weightLb, ...more }, () => 5)
        expect('price' in now ? now.price : null).toBe(before)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('a table of the same whole pounds costs what the ranges cost', () => {
  fc.assert(
    fc.property(Ranges, Weight, (ranges, weightLb) => {
      fc.pre(ranges.length > 0)
      const maxWeight = ranges.at(-1)!.to
      const steps = ranges.map(({ to, cents }) => ({ toOz: to * 16, cents: [cents] }))
      const service = { name: 'Ground', maxWeight, ranges, table: { steps, dimDivisor: null } }
      const now = priceParcel(service, { weightLb, fromZip: '10001', toZip: '90210' }, null)
      expect('price' in now ? now.price : null).toBe(priceBefore(service, weightLb))
    }),
  )
})

const byZone = (near: number, far: number) => [null, near, null, null, null, null, null, null, far]
const table: PriceTable = {
  steps: [
    { toOz: 4, cents: byZone(300, 310) },
    { toOz: 15.999, cents: byZone(400, 430) },
    { toOz: 16, cents: byZone(500, 620) },
    { toOz: 320, cents: byZone(900, 1_900) },
    { toOz: 1120, cents: byZone(2_000, 5_000) },
  ],
  dimDivisor: 166,
}
const service: PricedService = {
  name: 'Ground',
  maxWeight: 70,
  ranges: highestRanges(table),
  table,
}
const zones = zoneLookup(
  zonesFromRows({ '100': `${'0'.repeat(100)}1${'0'.repeat(801)}8${'0'.repeat(96)}3` }).zones,
)
const far = { fromZip: '10001', toZip: '90210' }
const near = { fromZip: '10001', toZip: '10024-1234' }
const price = (parcel: Parameters<typeof priceParcel>[1]) => priceParcel(service, parcel, zones)

describe('a parcel of a service with ounces and zones', () => {
  test.each([
    [0.25, 300, 310],
    [0.2501, 400, 430],
    [0.9999, 400, 430],
    [1, 500, 620],
    [null, 500, 620],
    [1.0001, 900, 1_900],
    [20, 900, 1_900],
    [20.1, 2_000, 5_000],
    [70, 2_000, 5_000],
  ])('of %s lb costs the step that takes it, by the zone of its ZIPs', (weightLb, one, eight) => {
    expect(price({ weightLb, ...near })).toEqual({ price: one })
    expect(price({ weightLb, ...far })).toEqual({ price: eight })
  })

  test('above the carrier’s limit has no price', () => {
    expect(price({ weightLb: 70.01, ...far })).toMatchObject({
      field: 'PackageWeight',
      fault: { code: 'weight_above_limit', text: 'Weight must be at most 70 lb' },
    })
    expect(maxPricedWeight(service)).toBe(70)
  })

  test('needs both ZIPs', () => {
    expect(price({ weightLb: 1, toZip: '90210' })).toMatchObject({
      field: 'FromZipPostal',
      fault: { text: 'From ZIP is needed: the price of Ground depends on the distance' },
    })
    expect(price({ weightLb: 1, fromZip: '10001', toZip: '9' })).toMatchObject({
      field: 'ToZipPostal',
      fault: { code: 'required' },
    })
  })

  test('is refused for a distance without a price, naming the zone or the unknown pair', () => {
    expect(price({ weightLb: 1, fromZip: '10001', toZip: '99950' })).toEqual({
      field: 'ToZipPostal',
      fault: {
        code: 'zone_without_price',
        text: 'Ground has no price for zone 3, from ZIP 100 to 999',
      },
    })
    expect(price({ weightLb: 1, fromZip: '90210', toZip: '10001' })).toMatchObject({
      fault: { text: 'Ground has no price from ZIP 902 to 100: their zone is not known' },
    })
    expect(priceParcel(service, { weightLb: 1, ...far }, null)).toMatchObject({
      fault: { code: 'zone_without_price' },
    })
  })

  test('costs the price for any zone where its own zone has none', () => {
    const steps = [{ toOz: 1120, cents: [777, 500] }]
    const open = { ...service, table: { steps, dimDivisor: null } }
    expect(priceParcel(open, { weightLb: 1, ...near }, zones)).toEqual({ price: 500 })
    expect(priceParcel(open, { weightLb: 1, ...far }, zones)).toEqual({ price: 777 })
    expect(priceParcel(open, { weightLb: 1, ...far }, null)).toEqual({ price: 777 })
  })
})

describe('dimensional weight', () => {
  test('counts above one cubic foot, of sides in whole inches, in whole pounds rounded up', () => {
    expect(dimensionalPounds({ length: 12, width: 12, height: 12 }, 166)).toBeNull()
    expect(dimensionalPounds({ length: 12.1, width: 12, height: 12 }, 166)).toBe(12)
    expect(dimensionalPounds({ length: 12.4, width: 12.4, height: 12.4 }, 139)).toBe(16)
    expect(dimensionalPounds({ length: 20.4, width: 20.4, height: 20.4 }, 139)).toBe(67)
  })

  test('is what a light, large parcel costs', () => {
    const size = { length: 24, width: 18, height: 12 }
    expect(price({ weightLb: 2, size, ...far })).toEqual({ price: 5_000 })
    expect(price({ weightLb: 2, ...far })).toEqual({ price: 1_900 })
    expect(price({ weightLb: 65, size, ...far })).toEqual({ price: 5_000 })
  })

  test('above the limit is refused with the figures', () => {
    const size = { length: 30, width: 24, height: 20.5 }
    expect(price({ weightLb: 2, size, ...far })).toEqual({
      field: 'PackageLength',
      fault: {
        code: 'size_too_large',
        text: 'Dimensional weight is 92 lb (30 × 24 × 20.5 in ÷ 166); Ground takes at most 70 lb',
      },
    })
  })
})

test('readers of whole pounds get the highest price of each', () => {
  expect(highestRanges(table)).toEqual([
    { from: 1, to: 1, cents: 620 },
    { from: 2, to: 20, cents: 1_900 },
    { from: 21, to: 70, cents: 5_000 },
  ])
})
