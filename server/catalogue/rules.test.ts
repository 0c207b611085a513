import { describe, expect, test } from 'vitest'
import { textsOf } from '#contract/fault-texts.ts'
import { maxPricedWeight, priceFor } from '#contract/pricing.ts'
import type { Refusal } from '#server/platform/http/refusal.ts'
import {
  flatOffer,
  isAvailable,
  parseServiceName,
  serviceFromCarrier,
  findPriceOrProblem,
  indexServicesWithPrices,
  hasFirstPrices,
  quoteEachParcel,
  quoteParcels,
  rangesFrom,
} from './rules.ts'
import type { Service } from './rules.ts'

const ground: Service = {
  id: 1,
  uid: 'usps:GROUND_ADVANTAGE',
  name: 'USPS Ground Advantage',
  category: 'Domestic',
  maxWeight: 70,
  offered: true,
  enabled: true,
  ranges: [
    { from: 1, to: 10, cents: 650 },
    { from: 11, to: 70, cents: 900 },
  ],
  table: null,
  rule: null,
  priceVersionId: null,
}
const priority: Service = {
  ...ground,
  id: 2,
  uid: 'usps:PRIORITY_MAIL',
  name: 'USPS Priority Mail',
  ranges: [{ from: 1, to: 70, cents: 950 }],
}
const prices = indexServicesWithPrices([ground, priority])

/** The sentence of a refusal with its fields. */
function refusal(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return { text: (error as Error).message, fields: textsOf((error as Refusal).fields as never) }
  }
  return 'nothing was refused'
}

test.each([
  [null, 650],
  [0.1, 650],
  [1, 650],
  [10, 650],
  [10.01, 900],
  [11, 900],
  [69.5, 900],
  [70, 900],
  [70.01, null],
  [71, null],
])(
  'a parcel of %s lb pays the range of its weight, rounded up to whole pounds',
  (weight, price) => {
    expect(priceFor(ground.ranges, weight)).toBe(price)
  },
)

describe('the service of a row', () => {
  test('is found by uid and by name, ignoring letter case and surrounding spaces', () => {
    for (const text of [
      'usps:GROUND_ADVANTAGE',
      'USPS Ground Advantage',
      '  usps  ground ADVANTAGE ',
      'USPS:ground_advantage',
    ]) {
      expect(prices.find(text)).toBe(ground)
    }
    expect(prices.find('Carrier Pigeon')).toBeUndefined()
    expect(prices.find('')).toBeUndefined()
  })

  test('is the one with that uid, even if another one has it as a name', () => {
    const impostor = { ...priority, name: 'usps:GROUND_ADVANTAGE' }
    expect(indexServicesWithPrices([impostor, ground]).find('usps:GROUND_ADVANTAGE')).toBe(ground)
  })

  test('is the available one of two with the same name', () => {
    const gone = { ...ground, uid: 'usps:OLD', offered: false }
    expect(indexServicesWithPrices([ground, gone]).find('USPS Ground Advantage')).toBe(ground)
    expect(indexServicesWithPrices([gone, ground]).find('USPS Ground Advantage')).toBe(ground)
  })
})

test('only a service that is enabled, offered and priced is available', () => {
  expect(isAvailable(ground)).toBe(true)
  for (const flaw of [{ enabled: false }, { offered: false }, { ranges: [] }])
    expect(isAvailable({ ...ground, ...flaw })).toBe(false)
})

test('an unavailable service has no price', () => {
  const closed = { ...ground, enabled: false }
  const parcel = { weightLb: 1 }
  expect(findPriceOrProblem(indexServicesWithPrices([closed]), closed.uid, parcel)).toMatchObject({
    fault: { code: 'service_not_available' },
  })
  expect(findPriceOrProblem(prices, ground.uid, parcel)).toMatchObject({ price: 650 })
})

test('the heaviest parcel is within the carrier’s limit and the last price range', () => {
  expect(maxPricedWeight(ground)).toBe(70)
  expect(maxPricedWeight({ ...ground, maxWeight: 50 })).toBe(50)
  expect(maxPricedWeight({ ...ground, maxWeight: 100 })).toBe(70)
})

test('a row that cannot be priced names the invalid field', () => {
  expect(findPriceOrProblem(prices, 'USPS Priority Mail', { weightLb: 20 })).toEqual({
    service: priority,
    price: 950,
  })
  expect(findPriceOrProblem(prices, ' ', { weightLb: 1 })).toEqual({
    field: 'ServiceName',
    fault: { code: 'required', text: 'Service name must be selected from the dropdown' },
  })
  expect(findPriceOrProblem(prices, 'Pigeon', { weightLb: 1 })).toEqual({
    field: 'ServiceName',
    fault: { code: 'service_unknown', text: "Service 'Pigeon' does not exist" },
  })
  expect(findPriceOrProblem(prices, 'USPS Priority Mail', { weightLb: 70.5 })).toEqual({
    field: 'PackageWeight',
    fault: { code: 'weight_above_limit', text: 'Weight must be at most 70 lb' },
  })
  expect(
    findPriceOrProblem(indexServicesWithPrices([{ ...ground, enabled: false }]), ground.uid, {
      weightLb: 1,
    }),
  ).toEqual({
    field: 'ServiceName',
    fault: {
      code: 'service_not_available',
      text: "Service 'USPS Ground Advantage' is not available right now",
    },
  })
  expect(
    findPriceOrProblem(indexServicesWithPrices([{ ...priority, maxWeight: 50 }]), priority.uid, {
      weightLb: 60,
    }),
  ).toEqual({
    field: 'PackageWeight',
    fault: { code: 'weight_above_limit', text: 'Weight must be at most 50 lb' },
  })
})

test('a quote adds up all parcels; an unknown weight is priced as one pound', () => {
  expect(quoteParcels(prices, [])).toBe(0)
  expect(
    quoteParcels(prices, [
      { service: 'USPS Ground Advantage', weight: '' },
      { service: 'usps:GROUND_ADVANTAGE', weight: 12 },
      { service: 'usps priority mail', weight: null },
      { service: 'USPS Ground Advantage', weight: ' 10.5 ' },
    ]),
  ).toBe(650 + 900 + 950 + 900)
})

test.each([0, -1, NaN, Infinity, '1e3', 'heavy', '-0.5', '0'])(
  'a weight of %s is not priced',
  weight => {
    expect(refusal(() => quoteParcels(prices, [{ service: ground.uid, weight }]))).toEqual({
      text: 'Weight must be a positive number',
      fields: { '1.PackageWeight': 'Weight must be a positive number' },
    })
  },
)

test('a quote refuses a size that the carrier does not take, and a weight that no parcel has', () => {
  const size = { length: 60, width: 20, height: 20 }
  expect(
    refusal(() =>
      quoteParcels(prices, [
        { service: ground.uid, weight: 2, ...size },
        { service: ground.uid, weight: '0.00000000000000001', length: 60, width: 20 },
      ]),
    ),
  ).toMatchObject({
    fields: {
      '1.PackageLength': 'Length plus girth is 140 in; USPS Ground Advantage takes at most 130 in',
      '2.PackageWeight': 'Weight must be at least 0.01 lb',
    },
  })
  expect(quoteParcels(prices, [{ service: ground.uid, weight: 2, ...size, length: 50 }])).toBe(650)
})

test('a quote names every parcel that cannot be priced', () => {
  expect(
    refusal(() =>
      quoteParcels(prices, [
        { service: ground.uid, weight: 71 },
        { service: ground.uid, weight: 1 },
        { service: 'Pigeon', weight: 'light' },
      ]),
    ),
  ).toEqual({
    text: 'Weight must be at most 70 lb',
    fields: {
      '1.PackageWeight': 'Weight must be at most 70 lb',
      '3.ServiceName': "Service 'Pigeon' does not exist",
      '3.PackageWeight': 'Weight must be a positive number',
    },
  })
})

test('a quote of each parcel prices those that have a price, and says why the others have none', () => {
  const size = { length: 60, width: 20, height: 20 }
  expect(
    quoteEachParcel(prices, [
      { service: ground.uid, weight: 88 },
      { service: ground.uid, weight: '' },
      { service: 'Pigeon', weight: 'light' },
      { service: '', weight: 1 },
      { service: priority.uid, weight: 69.5 },
      { service: ground.uid, weight: 2, ...size },
    ]),
  ).toEqual([
    { code: 'weight_above_limit', reason: 'Weight must be at most 70 lb' },
    { price: 650 },
    { code: 'service_unknown', reason: "Service 'Pigeon' does not exist" },
    { code: 'required', reason: 'Service name must be selected from the dropdown' },
    { price: 950 },
    {
      code: 'size_too_large',
      reason: 'Length plus girth is 140 in; USPS Ground Advantage takes at most 130 in',
    },
  ])
})

test('50,000 rows are priced from one list', () => {
  const rows = Array.from({ length: 50_000 }, (_, n) => ({
    service: n % 2 ? 'usps priority mail' : ground.uid,
    weight: String(1 + (n % 70)),
  }))
  const even = Array.from({ length: 25_000 }, (_, n) =>
    ((2 * n) % 70) + 1 <= 10 ? 650 : 900,
  ).reduce<number>((a, b) => a + b, 0)
  expect(quoteParcels(prices, rows)).toBe(even + 25_000 * 950)
})

test('the first catalogue is recognized until one price for sale differs', () => {
  const first = { ...ground, ranges: [{ from: 1, to: 70, cents: 650 }] }
  const media = { ...priority, uid: 'usps:MEDIA_MAIL', enabled: false, ranges: [] }
  expect(hasFirstPrices([first, priority, media])).toBe(true)
  expect(hasFirstPrices([{ ...first, name: 'Ground' }])).toBe(true)
  expect(hasFirstPrices([ground, priority])).toBe(false)
  expect(hasFirstPrices([first, { ...priority, ranges: [{ from: 1, to: 70, cents: 951 }] }])).toBe(
    false,
  )
  expect(hasFirstPrices([media])).toBe(false)
})

describe('a new service of the carrier', () => {
  test('has its first price if it is one of the first three', () => {
    expect(
      serviceFromCarrier({
        uid: 'usps:PRIORITY_MAIL_EXPRESS',
        name: 'Priority Mail Express',
        category: 'Express',
        maxWeight: 70,
      }),
    ).toEqual({
      uid: 'usps:PRIORITY_MAIL_EXPRESS',
      name: 'USPS Priority Mail Express',
      category: 'Express',
      maxWeight: 70,
      enabled: true,
      ranges: [{ from: 1, to: 70, cents: 2900 }],
    })
  })
  test('is otherwise disabled without prices', () => {
    expect(
      serviceFromCarrier({ uid: 'usps:MEDIA', name: 'Media Mail', category: '', maxWeight: 69.9 }),
    ).toEqual({
      uid: 'usps:MEDIA',
      name: 'Media Mail',
      category: 'Other',
      maxWeight: 69,
      enabled: false,
      ranges: [],
    })
  })
})

test('prices are stored lightest first, in cents; invalid ones are refused with the alert', () => {
  expect(
    rangesFrom(
      [
        { fromWeight: 11, toWeight: 70, price: 9.07 },
        { fromWeight: 1, toWeight: 10, price: 6.5 },
      ],
      70,
    ),
  ).toEqual([
    { from: 1, to: 10, cents: 650 },
    { from: 11, to: 70, cents: 907 },
  ])
  const alert =
    'Invalid price ranges. Please ensure ranges are continuous from 1 to max weight without gaps or overlaps.'
  expect(refusal(() => rangesFrom([{ fromWeight: 1, toWeight: 69, price: 6.5 }], 70))).toEqual({
    text: alert,
    fields: { prices: alert },
  })
})

test('a service name is tidied, not empty, and unique', () => {
  expect(parseServiceName('  Ground   (cheap) ', [priority])).toBe('Ground (cheap)')
  expect(refusal(() => parseServiceName(' \t ', []))).toEqual({
    text: 'Service name cannot be empty',
    fields: { name: 'Service name cannot be empty' },
  })
  expect(refusal(() => parseServiceName('x'.repeat(121), []))).toMatchObject({
    text: 'Service name must be at most 120 characters',
  })
  expect(refusal(() => parseServiceName('usps priority MAIL', [priority]))).toMatchObject({
    text: 'Another service already has this name',
  })
  expect(refusal(() => parseServiceName('USPS:priority_mail', [priority]))).toMatchObject({
    text: 'Another service already has this name',
  })
})

describe('the price on the public page', () => {
  const flat = (price: number): Service => ({
    ...ground,
    id: price,
    ranges: [{ from: 1, to: 70, cents: price }],
  })
  const climbing: Service = {
    ...flat(900),
    ranges: [
      { from: 1, to: 10, cents: 900 },
      { from: 11, to: 70, cents: 1100 },
    ],
  }

  test('is that of the service that takes the heaviest parcel, and of several the lowest', () => {
    const light = { ...flat(100), maxWeight: 20 }
    expect(flatOffer([flat(950), flat(650), light])).toEqual({ price: 650, heaviest: 70 })
    expect(flatOffer([light])).toEqual({ price: 100, heaviest: 20 })
    expect(flatOffer([flat(950), { ...flat(650), enabled: false }])).toEqual({
      price: 950,
      heaviest: 70,
    })
  })

  test('ends where a service begins to charge more', () => {
    expect(flatOffer([climbing])).toEqual({ price: 900, heaviest: 10 })
    expect(flatOffer([flat(950), climbing])).toEqual({ price: 950, heaviest: 70 })
  })

  test('is missing if no service is available', () => {
    expect(flatOffer([{ ...flat(650), enabled: false }])).toBeNull()
    expect(flatOffer([])).toBeNull()
  })
})
