import { expect, test } from 'vitest'
import { emptyRow } from '#contract/rows.ts'
import type { BulkRow } from '#contract/rows.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { militaryRows, mixOf, parcelsOf, scopesOf } from './compare.ts'

let id = 0
const row = (changes: Partial<BulkRow>): GridRow => ({
  ...emptyRow(),
  PackageLength: '9',
  PackageWidth: '6',
  PackageHeight: '3',
  FromZipPostal: '78701',
  ...changes,
  id: `row-${(id += 1)}`,
  line: id,
  notices: [],
})

test('rows of one price are one parcel; a weight, a size or another region makes another', () => {
  const rows = [
    row({ PackageWeight: '2', ToZipPostal: '93701' }),
    row({ PackageWeight: '2.0', ToZipPostal: '93799-1234' }),
    row({ PackageWeight: '3', ToZipPostal: '93701' }),
    row({ PackageWeight: '2', ToZipPostal: '10001' }),
    row({ PackageWeight: '2', PackageLength: '10', ToZipPostal: '93701' }),
  ]
  const { parcels, parcelOf } = parcelsOf(rows, false)
  expect(parcelOf).toEqual([0, 0, 1, 2, 3])
  expect(parcels.map(({ count }) => count)).toEqual([2, 1, 1, 1])
  expect(parcels[0]).toMatchObject({ weight: 2, length: 9, fromZip: '78701', toZip: '93701' })
})

test('two ZIP codes of one region are two parcels where the carrier tells prices by ZIP code', () => {
  const rows = ['93701', '93799', '93701-1234'].map(ToZipPostal => row({ ToZipPostal }))
  const { parcels, parcelOf } = parcelsOf(rows, true)
  expect(parcels.map(({ toZip }) => toZip)).toEqual(['93701', '93799'])
  expect(parcelOf).toEqual([0, 1, 0])
})

test('a weight that cannot be read is sent as such, so that no service prices it as 1 lb', () => {
  const weights = ['heavy', '', '9'.repeat(200)]
  const { parcels } = parcelsOf(
    weights.map(PackageWeight => row({ PackageWeight })),
    false,
  )
  expect(parcels.map(({ weight, count }) => [weight, count])).toEqual([
    ['-', 2],
    [null, 1],
  ])
})

test('the scopes are all rows, the selected ones, and those without a service', () => {
  const rows = [row({ ServiceName: 'USPS Priority Mail' }), row({}), row({})]
  expect(scopesOf(rows, [2])).toEqual({ all: [0, 1, 2], chosen: [2], empty: [1, 2] })
})

test('the cheapest choice counts labels of each service, and the rows that none takes', () => {
  const rows = [
    row({ PackageWeight: '1' }),
    row({ PackageWeight: '2' }),
    row({ PackageWeight: '2' }),
    row({ PackageWeight: '90' }),
  ]
  expect(mixOf(parcelsOf(rows, false), [0, 1, null])).toEqual({
    parts: [
      { service: 1, labels: 2 },
      { service: 0, labels: 1 },
    ],
    left: 1,
  })
})

test('rows to military addresses are counted, in every spelling of their state', () => {
  const states = ['AP', 'ae', 'Armed Forces Pacific', 'CA', '']
  expect(militaryRows(states.map(ToStateProvince => row({ ToStateProvince })))).toBe(3)
})
