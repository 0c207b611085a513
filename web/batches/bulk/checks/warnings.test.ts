import { expect, test } from 'vitest'
import { rowErrors } from '#contract/row-rules.ts'
import { emptyRow } from '#contract/rows.ts'
import type { BulkRow } from '#contract/rows.ts'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import { loadPlaces } from '#contract/zip-places.ts'
import { combineRows } from '#web/batches/bulk/parcels/combine.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { countWarnedRows, rowWarnerFor, takeSuggestions, warningGroups } from './warnings.ts'

const places = await loadPlaces()
const NO_SKUS = new Map<string, SkuMeasures>()

const row = (index: number, cells: Partial<BulkRow> = {}): GridRow => ({
  ...emptyRow(),
  ToRecipientName: `Receiver ${index}`,
  ToStreet1: '12 Main St',
  ToCity: 'New York',
  ToStateProvince: 'NY',
  ToZipPostal: '10001',
  PackageWeight: '1',
  ...cells,
  id: `row-${index}`,
  line: index + 1,
  notices: [],
})

test('warnings are counted by cause, the most frequent first, and taken with one click', () => {
  const rows = [
    row(0, { ToStateProvince: 'ME' }),
    row(1),
    row(2, { ToStateProvince: 'ME' }),
    row(3, { ToCity: 'Nwe York' }),
  ]
  const warn = rowWarnerFor(rows, { places, skus: NO_SKUS })
  const groups = warningGroups(rows, warn)
  expect(groups).toEqual([
    {
      key: 'zip_not_in_state.ToZipPostal',
      code: 'zip_not_in_state',
      field: 'ToZipPostal',
      rows: [0, 2],
      suggestions: 2,
      suggestion: 'Use NY',
    },
    expect.objectContaining({ code: 'city_not_of_zip', rows: [3], suggestion: 'Use New York' }),
  ])
  expect(countWarnedRows(rows, warn)).toBe(3)
  const taken = takeSuggestions(rows, groups[0]!.key, warn)
  expect(taken.map(({ ToStateProvince }) => ToStateProvince)).toEqual(['NY', 'NY', 'NY', 'NY'])
  expect(taken[1]).toBe(rows[1])
  const next = rowWarnerFor(taken, { places, skus: NO_SKUS })
  expect(warningGroups(taken, next)).toHaveLength(1)
})

test('different likely values of one cause are not named as one', () => {
  const rows = [
    row(0, { ToStateProvince: 'ME' }),
    row(1, { ToCity: 'Boston', ToStateProvince: 'ME', ToZipPostal: '02108' }),
  ]
  const warn = rowWarnerFor(rows, { places, skus: NO_SKUS })
  expect(warningGroups(rows, warn)).toMatchObject([{ suggestions: 2, suggestion: null }])
})

test('a receiver in two rows is named in both, until one of them changes', () => {
  const rows = [row(0), row(1, { ToRecipientName: 'RECEIVER 0', ToZipPostal: '10001-1234' })]
  const sources = { places, skus: NO_SKUS }
  expect(rows.map(one => rowWarnerFor(rows, sources)(one).map(({ code }) => code))).toEqual([
    ['receiver_twice'],
    ['receiver_twice'],
  ])
  const changed = [rows[0]!, { ...rows[1]!, ToRecipientName: 'Bo' }]
  expect(changed.map(one => rowWarnerFor(changed, sources)(one))).toEqual([[], []])
})

test('lines of one order are no warning of the same receiver', () => {
  const rows = [
    row(0, { orderId: '#A1' }),
    row(1, { ToRecipientName: 'RECEIVER 0', orderId: 'a1' }),
  ]
  const sources = { places, skus: NO_SKUS }
  expect(rows.map(one => rowWarnerFor(rows, sources)(one))).toEqual([[], []])
  const third = [...rows, row(2, { ToRecipientName: 'Receiver 0', orderId: 'B2' })]
  expect(rowWarnerFor(third, sources)(third[2]!)).toMatchObject([
    { code: 'receiver_twice', message: expect.stringContaining('2 orders') },
  ])
})

test('a combined row asks to check its weight until the weight is typed', () => {
  const lines = [row(0, { orderId: '1', ToRecipientName: 'A' }), row(1, { orderId: '1' })]
  const rows = combineRows(lines, 'order', NO_SKUS)
  const warn = rowWarnerFor(rows, { places, skus: NO_SKUS })
  expect(warn(rows[0]!)).toMatchObject([{ code: 'weight_from_parts', field: 'PackageWeight' }])
  expect(rowErrors(rows[0]!)).not.toHaveProperty('PackageWeight')
  expect(warn({ ...rows[0]!, PackageWeight: '2.4' })).toEqual([])
})

test('warnings change no row and are no errors', () => {
  const wrong = row(0, { ToStateProvince: 'ME', quantity: '9', skuNumber: 'TEE' })
  const before = { ...wrong }
  const sku = { sku: 'TEE', maxQty: 2, weight: 1, length: 1, width: 1, height: 1, description: '' }
  const warn = rowWarnerFor([wrong], { places, skus: new Map([['TEE', sku]]) })
  expect(warn(wrong).map(({ code }) => code)).toEqual(['zip_not_in_state', 'quantity_over_max'])
  expect(wrong).toEqual(before)
  expect(rowErrors(wrong)).not.toHaveProperty('ToZipPostal')
  expect(rowErrors(wrong)).not.toHaveProperty('quantity')
})
