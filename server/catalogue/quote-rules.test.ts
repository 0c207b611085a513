import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import type { PriceRule } from '#contract/price-rules.ts'
import { priceByRule, ruleFrom, ruleText, ruleWire, sameRule } from '#contract/price-rules.ts'
import { assertQuotable } from './price-drafts.ts'
import { quotedParcelOf, quoteKey, shipmentToQuote } from './quote-rules.ts'
import type { KnownQuote } from './quote-rules.ts'
import { findPriceOrProblem, flatOffer, indexServicesWithPrices, isAvailable } from './rules.ts'
import type { Service } from './rules.ts'

const rule: PriceRule = {
  basisPoints: 1_000,
  fixedCents: 25,
  floorCents: 400,
  rounding: 'cent',
  live: true,
}
const live: Service = {
  id: 1,
  uid: 'usps:PRIORITY_MAIL',
  name: 'USPS Priority Mail',
  category: 'USPS',
  maxWeight: 70,
  offered: true,
  enabled: true,
  ranges: [],
  table: null,
  rule,
  priceVersionId: 1,
}
const parcel = {
  weightLb: 2.5,
  size: { length: 9, width: 6, height: 3 },
  fromZip: '78701-1234',
  toZip: '04101',
}
const KEY = 'usps:PRIORITY_MAIL 78701 04101 2.5 9x6x3'
const priceWith = (quote: KnownQuote | null, one = parcel) =>
  findPriceOrProblem(
    { ...indexServicesWithPrices([live]), quotes: new Map(quote ? [[KEY, quote]] : []) },
    live.uid,
    one,
  )

test('the price follows from the quote of exactly this parcel', () => {
  const quote = { cost: cents(700), askedAt: new Date(0) }
  expect(priceWith(quote)).toMatchObject({ price: 795, quote })
  expect(priceWith({ ...quote, cost: cents(100) })).toMatchObject({ price: 400 })
  expect(priceWith(quote, { ...parcel, weightLb: 2.6 })).toEqual({
    field: 'ServiceName',
    fault: {
      code: 'carrier_price_pending',
      text: 'The carrier is being asked for this price. Ask again in a moment',
    },
  })
})

test('ZIP+4 and the plain ZIP are one question; a parcel that no carrier takes is none', () => {
  const quoted = quotedParcelOf(live, parcel)
  expect('fault' in quoted ? quoted : quoteKey(quoted)).toBe(KEY)
  const fieldOf = (changes: object) => quotedParcelOf(live, { ...parcel, ...changes })
  expect(fieldOf({ weightLb: null })).toMatchObject({ weight: 1 })
  expect(fieldOf({ weightLb: 71 })).toMatchObject({ field: 'PackageWeight' })
  expect(fieldOf({ weightLb: 0.001 })).toMatchObject({ field: 'PackageWeight' })
  expect(fieldOf({ weightLb: NaN })).toMatchObject({ field: 'PackageWeight' })
  expect(fieldOf({ size: null })).toMatchObject({ field: 'PackageLength' })
  expect(fieldOf({ size: { length: 90, width: 90, height: 90 } })).toMatchObject({
    field: 'PackageLength',
    fault: { code: 'size_too_large' },
  })
  expect(fieldOf({ fromZip: 'Austin' })).toMatchObject({ field: 'FromZipPostal' })
  expect(fieldOf({ toZip: undefined })).toMatchObject({ field: 'ToZipPostal' })
})

test('the carrier learns the parcel and both places, and no person', () => {
  const quoted = quotedParcelOf(live, parcel)
  if ('fault' in quoted) throw new Error(quoted.fault.text)
  const places = new Map([['78701', { city: 'Austin', state: 'TX' }]])
  expect(shipmentToQuote(quoted, zip => places.get(zip))).toMatchObject({
    serviceUid: live.uid,
    sender: {
      name: 'Resident',
      street1: 'General Delivery',
      city: 'Austin',
      state: 'TX',
      zip: '78701',
      country: 'US',
    },
    receiver: { name: 'Resident', city: '', state: '', zip: '04101' },
    package: { length: 9, width: 6, height: 3, weight: 2.5 },
  })
})

test('a live service is for sale without ranges, and the public page promises no price of it', () => {
  expect(isAvailable(live)).toBe(true)
  expect(isAvailable({ ...live, rule: null })).toBe(false)
  expect(flatOffer([live])).toBeNull()
  const ranges = [{ from: 1, to: 70, cents: 650 }]
  expect(flatOffer([live, { ...live, rule: null, ranges }])).toEqual({ price: 650, heaviest: 70 })
})

test('a live rule is told apart from one on uploaded costs', () => {
  const { live: _, ...uploaded } = rule
  expect(sameRule(rule, uploaded)).toBe(false)
  expect(ruleText(rule)).toBe('Carrier’s live price + 10% + $0.25, at least $4.00')
  expect(ruleFrom(ruleWire(rule))).toEqual(rule)
  expect(ruleWire(uploaded)).not.toHaveProperty('live')
  expect(priceByRule(rule, cents(1_001))).toBe(priceByRule(uploaded, cents(1_001)))
})

test('a carrier that tells no price before it sells has no live prices', () => {
  const source = { kind: 'rule' as const, uid: live.uid, rule: ruleWire(rule) }
  expect(() => assertQuotable({}, source)).toThrow(/Your carrier tells no price before it sells/)
  expect(() =>
    assertQuotable({}, { ...source, rule: { ...source.rule, live: false } }),
  ).not.toThrow()
})
