import { expect, test } from 'vitest'
import { rowErrors } from '#contract/row-rules.ts'
import { emptyRow } from '#contract/rows.ts'
import type { BulkRow } from '#contract/rows.ts'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import { loadPlaces } from '#contract/zip-places.ts'
import { combineRows } from '#web/batches/bulk/parcels/combine.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { ROWS_AT_ONCE } from './in-turns.ts'
import { takeSuggestions, warningSteps } from './warnings.ts'
import type { TableWarnings } from './warnings.ts'

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

function warningsOf(
  rows: readonly GridRow[],
  sources: Parameters<typeof warningSteps>[1],
): TableWarnings & { steps: number } {
  const all = warningSteps(rows, sources)
  for (let steps = 1; ; steps += 1) {
    const { done, value } = all.next()
    if (done) return { ...value, steps }
  }
}

test('a large table is checked and counted in small steps', () => {
  const rows = Array.from({ length: 10 * ROWS_AT_ONCE }, (_, index) => row(index))
  expect(warningsOf(rows, { places, skus: NO_SKUS }).steps).toBeGreaterThan(2 * 10)
})

test('warnings are counted by cause, the most frequent first, and taken with one click', () => {
  const rows = [
    row(0, { ToStateProvince: 'ME' }),
    row(1),
    row(2, { ToStateProvince: 'ME' }),
    row(3, { ToCity: 'Nwe York' }),
  ]
  const { warn, groups, rowCount } = warningsOf(rows, { places, skus: NO_SKUS })
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
  expect(rowCount).toBe(3)
  const taken = takeSuggestions(rows, groups[0]!.key, warn)
  expect(taken.map(({ ToStateProvince }) => ToStateProvince)).toEqual(['NY', 'NY', 'NY', 'NY'])
  expect(taken[1]).toBe(rows[1])
  expect(warningsOf(taken, { places, skus: NO_SKUS }).groups).toHaveLength(1)
})

test('different likely values of one cause are not named as one', () => {
  const rows = [
    row(0, { ToStateProvince: 'ME' }),
    row(1, { ToCity: 'Boston', ToStateProvince: 'ME', ToZipPostal: '02108' }),
  ]
  const { groups } = warningsOf(rows, { places, skus: NO_SKUS })
  expect(groups).toMatchObject([{ suggestions: 2, suggestion: null }])
})

test('a receiver in two rows is named in both, until one of them changes', () => {
  const rows = [row(0), row(1, { ToRecipientName: 'RECEIVER 0', ToZipPostal: '10001-1234' })]
  const sources = { places, skus: NO_SKUS }
  expect(
    rows.map(one =>
      warningsOf(rows, sources)
        .warn(one)
        .map(({ code }) => code),
    ),
  ).toEqual([['receiver_twice'], ['receiver_twice']])
  const changed = [rows[0]!, { ...rows[1]!, ToRecipientName: 'Bo' }]
  expect(changed.map(one => warningsOf(changed, sources).warn(one))).toEqual([[], []])
})

test('lines of one order are no warning of the same receiver', () => {
  const rows = [
    row(0, { orderId: '#A1' }),
    row(1, { ToRecipientName: 'RECEIVER 0', orderId: 'a1' }),
  ]
  const sources = { places, skus: NO_SKUS }
  expect(rows.map(one => warningsOf(rows, sources).warn(one))).toEqual([[], []])
  const third = [...rows, row(2, { ToRecipientName: 'Receiver 0', orderId: 'B2' })]
  expect(warningsOf(third, sources).warn(third[2]!)).toMatchObject([
    { code: 'receiver_twice', message: expect.stringContaining('2 orders') },
  ])
})

test('a combined row asks to check its weight until the weight is typed', () => {
  const lines = [row(0, { orderId: '1', ToRecipientName: 'A' }), row(1, { orderId: '1' })]
  const rows = combineRows(lines, 'order', NO_SKUS)
  const { warn } = warningsOf(rows, { places, skus: NO_SKUS })
  expect(warn(rows[0]!)).toMatchObject([{ code: 'weight_from_parts', field: 'PackageWeight' }])
  expect(rowErrors(rows[0]!)).not.toHaveProperty('PackageWeight')
  expect(warn({ ...rows[0]!, PackageWeight: '2.4' })).toEqual([])
})

test('warnings change no row and are no errors', () => {
  const wrong = row(0, { ToStateProvince: 'ME', quantity: '9', skuNumber: 'TEE' })
  const before = { ...wrong }
  const sku = { sku: 'TEE', maxQty: 2, weight: 1, length: 1, width: 1, height: 1, description: '' }
  const { warn } = warningsOf([wrong], { places, skus: new Map([['TEE', sku]]) })
  expect(warn(wrong).map(({ code }) => code)).toEqual(['zip_not_in_state', 'quantity_over_max'])
  expect(wrong).toEqual(before)
  expect(rowErrors(wrong)).not.toHaveProperty('ToZipPostal')
  expect(rowErrors(wrong)).not.toHaveProperty('quantity')
})
