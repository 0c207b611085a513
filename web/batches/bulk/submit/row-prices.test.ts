import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import { emptyRow } from '#contract/rows.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import {
  coveredRows,
  priceSum,
  quotedShipment,
  rowPrice,
  shipmentKey,
  shipmentsByKey,
} from './row-prices.ts'
import type { Quotes } from './row-prices.ts'

const GROUND = 'USPS Ground Advantage'
const PRIORITY = 'USPS Priority Mail'
let next = 0
const row = (ServiceName: string, PackageWeight: string): GridRow => ({
  ...emptyRow(),
  ServiceName,
  PackageWeight,
  id: `row-${(next += 1)}`,
  line: 1,
  notices: [],
})
const quotes: Quotes = new Map([
  [shipmentKey(row(GROUND, '2')), { price: 6.5 }],
  [shipmentKey(row(GROUND, '')), { price: 6.5 }],
  [shipmentKey(row(PRIORITY, '2')), { price: 9.5 }],
  [
    shipmentKey(row(GROUND, '88')),
    { reason: 'Weight must be at most 70 lb', code: 'weight_above_limit' },
  ],
])
const priceOf = (one: GridRow) => rowPrice(one, quotes, false)

test('each different service and weight is asked for once', () => {
  const rows = [row(GROUND, '2'), row(GROUND, ' 2.0 '), row(GROUND, 'two'), row('', '3')]
  expect([...shipmentsByKey(rows).values()]).toEqual([
    { service: GROUND, weight: 2 },
    { service: GROUND, weight: null },
  ])
})

test('a row that is too heavy says why it has no price, and hides the price of no other', () => {
  const rows = [row(GROUND, '2'), row(GROUND, '88'), row(PRIORITY, '2'), row(GROUND, '2')]
  expect(rows.map(one => priceOf(one).cents)).toEqual([650, null, 950, 650])
  expect(priceOf(rows[1]!).note).toBe('Weight must be at most 70 lb')
  expect(priceSum(rows, priceOf)).toEqual({
    total: 2250,
    pricedRows: 3,
    pendingRows: 0,
    unknownRows: 0,
    parts: [
      { service: GROUND, cents: 650, rows: 2 },
      { service: PRIORITY, cents: 950, rows: 1 },
    ],
  })
})

test('a row without a weight has the price of one pound, and says so', () => {
  expect(priceOf(row(GROUND, ''))).toEqual({
    cents: 650,
    note: 'Priced as 1 lb until you enter the weight',
    pending: false,
  })
  expect(priceOf(row('', '2'))).toEqual({ cents: null, note: 'Choose a service', pending: false })
  expect(rowPrice(row(PRIORITY, '5'), quotes, true).pending).toBe(true)
})

test('the balance covers the first rows of the table, not the cheapest ones', () => {
  const rows = [row(GROUND, '2'), row(PRIORITY, '2'), row(GROUND, '2')]
  expect(coveredRows(rows, priceOf, cents(1599))).toEqual({ rows: 1, cents: 650 })
  expect(coveredRows(rows, priceOf, cents(1600))).toEqual({ rows: 2, cents: 1600 })
  expect(coveredRows(rows, priceOf, cents(649))).toEqual({ rows: 0, cents: 0 })
  expect(coveredRows(rows, priceOf, cents(9999))).toEqual({ rows: 3, cents: 2250 })
})

test('where size and ZIP codes decide, they are asked for, and rows of one region share a price', () => {
  const parcel = (ToZipPostal: string, PackageLength = '9'): GridRow => ({
    ...row(GROUND, '2'),
    FromZipPostal: '78701',
    ToZipPostal,
    PackageLength,
  })
  const rows = [parcel('93701'), parcel('93799'), parcel('10001'), parcel('93701', '20')]
  const byParcel = (service: string) => service === GROUND
  const asked = [...shipmentsByKey(rows, byParcel).values()].map(quotedShipment)
  expect(asked).toHaveLength(3)
  expect(shipmentKey(parcel('937'), byParcel)).not.toBe(shipmentKey(parcel('93701'), byParcel))
  expect(asked[0]).toMatchObject({
    package: { package_weight: 2, package_length: 9 },
    sender: { sender_zip_postal: '78701' },
    receiver: { receiver_zip_postal: '93701' },
  })
  const far: Quotes = new Map([[shipmentKey(rows[2]!, byParcel), { price: 12 }]])
  expect(rows.map(one => rowPrice(one, far, true, byParcel).cents)).toEqual([
    null,
    null,
    1200,
    null,
  ])
  expect(shipmentsByKey([...rows, row(PRIORITY, '2')], () => false).size).toBe(2)
})

test('where the carrier tells the price, whole ZIP codes count, and a price it has not told is unknown', () => {
  const rows = ['93701', '93799'].map(ToZipPostal => ({ ...row(GROUND, '2'), ToZipPostal }))
  const byCarrier = (service: string) => (service === GROUND ? ('carrier' as const) : false)
  const [near, far] = rows.map(one => shipmentKey(one, byCarrier))
  expect(near).not.toBe(far)
  const pending = { reason: 'The carrier is being asked', code: 'carrier_price_pending' }
  const shown = (quote: { price: number } | typeof pending) => {
    const told: Quotes = new Map([
      [near!, { price: 6.59 }],
      [far!, quote],
    ])
    const price = (one: GridRow) => rowPrice(one, told, false, byCarrier)
    const { total, unknownRows } = priceSum(rows, price)
    return { total, unknownRows, isPending: price(rows[1]!).pending }
  }
  expect(shown({ price: 7.09 })).toEqual({ total: 1368, unknownRows: 0, isPending: false })
  expect(shown(pending)).toEqual({ total: 659, unknownRows: 1, isPending: true })
})

test('a price that the server did not answer for is unknown; a reason why there is none is not', () => {
  const rows = [row(GROUND, '2'), row(GROUND, '88'), row(PRIORITY, '5')]
  const sum = (loading: boolean) => priceSum(rows, one => rowPrice(one, quotes, loading))
  expect(sum(true)).toMatchObject({ total: 650, pendingRows: 1, unknownRows: 1 })
  expect(sum(false)).toMatchObject({ total: 650, pendingRows: 0, unknownRows: 1 })
})

test('cells that cannot be read are sent as unknown, and price no other row', () => {
  const parcel = (changes: Partial<GridRow>): GridRow => ({
    ...row(GROUND, '2'),
    PackageLength: '9',
    PackageWidth: '6',
    PackageHeight: '3',
    FromZipPostal: '78701',
    ToZipPostal: '93701-1234',
    ...changes,
  })
  const rows = [
    parcel({ ToZipPostal: '93701, third floor' }),
    parcel({}),
    parcel({ PackageLength: '9'.repeat(200) }),
    parcel({ PackageLength: '9.0', ToZipPostal: ' 93701 ' }),
  ]
  const asked = [...shipmentsByKey(rows, () => true).values()].map(quotedShipment)
  expect(asked.map(one => [one.package.package_length, one.receiver?.receiver_zip_postal])).toEqual(
    [
      [9, null],
      [9, '93701'],
      [null, '93701'],
    ],
  )
})

test('a signature and Saturday delivery are asked for and priced with the row', () => {
  const plain = row(GROUND, '2')
  const signed = { ...row(GROUND, '2'), signature: 'adult', saturday: 'yes' }
  expect([...shipmentsByKey([plain, signed, { ...signed }]).values()].map(quotedShipment)).toEqual([
    { service_name: GROUND, package: { package_weight: 2 } },
    { service_name: GROUND, package: { package_weight: 2 }, signature: 'adult', saturday: true },
  ])
  const told: Quotes = new Map([
    [shipmentKey(plain), { price: 6.5 }],
    [shipmentKey(signed), { price: 31.9 }],
  ])
  const price = (one: GridRow) => rowPrice(one, told, false)
  expect([plain, signed].map(one => price(one).cents)).toEqual([650, 3190])
  const light = { ...row(GROUND, ''), signature: 'adult' }
  const asOnePound: Quotes = new Map([[shipmentKey(light), { price: 10 }]])
  expect(rowPrice(light, asOnePound, false).note).toBe('Priced as 1 lb until you enter the weight')
})
