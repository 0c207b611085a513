import { expect, test } from 'vitest'
import { row as sampleRow } from '#tests/support/rows.ts'
import {
  EMPTY_BULK_DRAFT,
  replacedOrders,
  withoutAccepted,
} from '#web/batches/bulk/drafts/draft.ts'
import type { BulkDraft } from '#web/batches/bulk/drafts/draft.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { indexBySku } from '#web/skus/fill.ts'
import {
  replacerFor,
  withCells,
  withCopies,
  withFill,
  withoutRows,
  withReplacement,
  withRowsApart,
  withSplit,
} from './row-operations.ts'

const row = (index: number, change: Partial<GridRow> = {}): GridRow => ({
  ...sampleRow(index + 1),
  id: `row-${index}`,
  line: index + 1,
  notices: [],
  ...change,
})
const table = (...rows: GridRow[]): BulkDraft => ({ ...EMPTY_BULK_DRAFT, rows })
const SKUS = indexBySku([
  { sku: 'MUG', maxQty: 2, weight: 1.5, length: 6, width: 5, height: 4, description: 'Mug' },
])
const plain = { find: '', replace: '', matchCase: false, wholeCell: false }

test('a value is set in the chosen rows, read as if it were typed', () => {
  const draft = table(row(0), row(1), row(2))
  const set = withCells(draft, [0, 2], () => ({ PackageWeight: '8 oz', ToCity: ' Bend ' }), SKUS)
  expect(set).toMatchObject({ changedRows: 2, changedCells: 4, draft: { edited: true } })
  expect(set.draft.rows.map(one => one.PackageWeight)).toEqual(['0.5', '1.5', '0.5'])
  expect(set.draft.rows[0]!.ToCity).toBe('Bend')
  expect(set.draft.rows[1]).toBe(draft.rows[1])
})

test('setting what is there already changes nothing', () => {
  const draft = table(row(0, { ToCity: 'Bend' }))
  expect(withCells(draft, [0, 5], () => ({ ToCity: 'Bend' }), SKUS)).toEqual({
    draft,
    changedRows: 0,
    changedCells: 0,
  })
})

test('a SKU that is set fills the empty measures of its rows', () => {
  const draft = table(row(0, { PackageWeight: '', PackageLength: '' }))
  const { rows } = withCells(draft, [0], () => ({ skuNumber: 'MUG' }), SKUS).draft
  expect(rows[0]).toMatchObject({ PackageWeight: '1.5', PackageLength: '6', PackageWidth: '6' })
})

test('fill down copies the first row of a range to the others, in the order in which they are shown', () => {
  const draft = table(row(0), row(1), row(2, { ToCity: 'Salem', ToStateProvince: 'OR' }))
  const filled = withFill(draft, 2, [0], ['ToCity', 'ToStateProvince'], SKUS)
  expect(filled.draft.rows.map(one => one.ToCity)).toEqual([
    'Salem',
    draft.rows[1]!.ToCity,
    'Salem',
  ])
  expect(filled.changedCells).toBe(2)
})

test('find and replace takes text as it is, by case and whole cells where asked', () => {
  const replaced = (text: string, change: Partial<typeof plain> & { find: string }) =>
    replacerFor({ ...plain, ...change })(text)
  expect(replaced('1 St. Main St.', { find: 'st.', replace: '$& Street' })).toBe(
    '1 $& Street Main $& Street',
  )
  expect(replaced('St Ives', { find: 'st', replace: 'Saint', matchCase: true })).toBe('St Ives')
  expect(replaced('Bendigo', { find: 'Bend', replace: 'Salem', wholeCell: true })).toBe('Bendigo')
  const draft = table(row(0, { ToStreet1: '9 Oak Str' }), row(1, { ToStreet1: 'Strand 1' }))
  const result = withReplacement(
    draft,
    [0, 1],
    ['ToStreet1'],
    { ...plain, find: ' Str', replace: ' St', matchCase: true },
    SKUS,
  )
  expect(result.draft.rows.map(one => one.ToStreet1)).toEqual(['9 Oak St', 'Strand 1'])
  expect(result.changedRows).toBe(1)
})

test('deleted rows replace no failed order any more', () => {
  const draft = { ...table(row(0), row(1), row(2)), replaces: { 'row-0': '901', 'row-2': '902' } }
  const left = withoutRows(draft, new Set(['row-0', 'row-1'] as const))
  expect(left.rows.map(one => one.id)).toEqual(['row-2'])
  expect(left.replaces).toEqual({ 'row-2': '902' })
  expect(withoutRows(draft, new Set(['row-9'] as const))).toBe(draft)
})

test('deleted combined rows replace none of the failed orders of their lines any more', () => {
  const combined = row(0, { parts: [row(0), row(5)] })
  const draft = { ...table(combined, row(1)), replaces: { 'row-0': '901', 'row-5': '902' } }
  const left = withoutRows(draft, new Set(['row-0'] as const))
  expect(left.replaces).toEqual({})
})

test('duplicated rows stand below their originals under new ids and replace nothing', () => {
  const draft = { ...table(row(0), row(7), row(2)), replaces: { 'row-7': '901' } }
  const copied = withCopies(draft, new Set(['row-7', 'row-0'] as const))
  expect(copied.rows.map(one => one.id)).toEqual(['row-0', 'row-8', 'row-7', 'row-9', 'row-2'])
  expect(copied.replaces).toEqual({ 'row-7': '901' })
})

test('only chosen rows are split by the quantity of their SKU', () => {
  const mugs = { skuNumber: 'MUG', quantity: '5' }
  const draft = table(row(0, mugs), row(1, mugs), row(2))
  const split = withSplit(draft, new Set(['row-1', 'row-2'] as const), SKUS)
  expect(split.rows.map(one => [one.id, one.quantity])).toEqual([
    ['row-0', '5'],
    ['row-1', '2'],
    ['row-3', '2'],
    ['row-4', '1'],
    ['row-2', '1'],
  ])
})

test('a combined row is taken apart in its place', () => {
  const parts = [row(1, { skuNumber: 'MUG' }), row(2, { skuNumber: 'TEE' })]
  const draft = table(row(0), { ...parts[0]!, skuNumber: '', parts }, row(3))
  const apart = withRowsApart(draft, new Set(['row-1', 'row-3'] as const))
  expect(apart.rows.map(one => one.id)).toEqual(['row-0', 'row-1', 'row-2', 'row-3'])
})

test('parcels of a split row replace the failed orders of all its lines, once', () => {
  const mug = { skuNumber: 'MUG', quantity: '2' }
  const lines = [row(0, mug), row(1, mug)]
  const items = lines.map(({ orderItemId }, at) => ({
    orderItemId: `${orderItemId}${at}`,
    sku: 'MUG',
    quantity: '2',
  }))
  const combined = row(0, { skuNumber: 'MUG', quantity: '4', parts: lines, items })
  const draft = { ...table(combined), replaces: { 'row-0': '71', 'row-1': '72' } }
  const split = withSplit(draft, new Set(['row-0' as const]), SKUS)
  expect(split.rows).toHaveLength(2)
  expect(replacedOrders(split)).toEqual(['71', '72'])
  expect(replacedOrders(split, split.rows.slice(1))).toEqual(['71', '72'])
  // After one of them is bought, the other replaces nothing a second time.
  const rest = withoutAccepted(split, [split.rows[0]!.id], '9')
  expect(rest.rows).toHaveLength(1)
  expect(replacedOrders(rest)).toEqual([])
})
