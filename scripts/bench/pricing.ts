/** 10,000 parcels priced by a table with ounces and zones, against plain ranges. */
import { highestRanges, OUNCES_PER_POUND, ZONES } from '#contract/pricing.ts'
import type { PriceTable } from '#contract/pricing.ts'
import { PREFIXES, zoneLookup } from '#contract/zone-matrix.ts'
import { indexServicesWithPrices, quoteEachParcel } from '#server/catalogue/rules.ts'
import type { ParcelInput, Service } from '#server/catalogue/rules.ts'
import { median, timed } from './figures.ts'

export type PricingBench = { rangesMs: number; tableMs: number; ratio: number }

const MAX_POUNDS = 70

/** Each ounce below a pound and each pound from there, for all zones. */
function table(): PriceTable {
  const ounces = Array.from({ length: OUNCES_PER_POUND - 1 }, (_, at) => at + 1)
  const pounds = Array.from({ length: MAX_POUNDS }, (_, at) => (at + 1) * OUNCES_PER_POUND)
  const steps = [...ounces, ...pounds].map((toOz, at) => ({
    toOz,
    cents: [null, ...ZONES.map(zone => 300 + at * 20 + zone * 15)],
  }))
  return { steps, dimDivisor: 166 }
}

/** The median of nine rounds each, in turns, after one to warm up. */
export function benchPricing(count = 10_000): PricingBench {
  const byZone = table()
  const service: Service = {
    id: 1,
    uid: 'usps:GROUND_ADVANTAGE',
    name: 'USPS Ground Advantage',
    category: 'USPS',
    maxWeight: MAX_POUNDS,
    offered: true,
    enabled: true,
    ranges: highestRanges(byZone),
    table: null,
    rule: null,
    priceVersionId: null,
  }
  const zones = Uint8Array.from({ length: PREFIXES * PREFIXES }, (_, at) => 1 + (at % ZONES.length))
  const plain = indexServicesWithPrices([service])
  const zoned = indexServicesWithPrices([{ ...service, table: byZone }], zoneLookup(zones))
  const parcels: ParcelInput[] = Array.from({ length: count }, (_, at) => ({
    service: service.name,
    weight: String(((at * 37) % 6_900) / 100 + 0.1),
    length: '20',
    width: '12',
    height: String(5 + (at % 5)),
    fromZip: String(10_000 + ((at * 7) % 80_000)),
    toZip: String(10_000 + ((at * 13) % 80_000)),
  }))
  const times = { ranges: [] as number[], table: [] as number[] }
  for (let round = 0; round < 10; round++) {
    times.ranges.push(timed(() => assertPriced(quoteEachParcel(plain, parcels))))
    times.table.push(timed(() => assertPriced(quoteEachParcel(zoned, parcels))))
  }
  const [rangesMs, tableMs] = [median(times.ranges.slice(1)), median(times.table.slice(1))]
  return { rangesMs, tableMs, ratio: tableMs / rangesMs }
}

function assertPriced(quotes: readonly object[]): void {
  if (!quotes.every(quote => 'price' in quote)) throw new Error('the benchmark priced no parcel')
}
