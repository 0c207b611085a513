import { expect, test } from 'vitest'
import { emptyRow } from '#contract/rows.ts'
import type { BulkRow } from '#contract/rows.ts'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import { copyMeasures, skuFromRow, sortBySku } from './sku-fill.ts'

const MUG: SkuMeasures = {
  sku: 'MUG',
  maxQty: 4,
  weight: 1.5,
  length: 8,
  width: 6,
  height: 4,
  description: 'Mug',
}
const row = (change: Partial<BulkRow>): BulkRow => ({ ...emptyRow(), ...change })

test('saving a row copies its measures only to rows with the same SKU', () => {
  const edited = row({
    skuNumber: 'MUG',
    PackageWeight: '2',
    PackageLength: '8',
    PackageWidth: '6',
    PackageHeight: '4',
  })
  const other = row({ skuNumber: 'BOX', PackageWeight: '9' })
  const bare = row({})
  const [same, ...rest] = copyMeasures(
    [row({ skuNumber: 'MUG', PackageWeight: '1', ToCity: 'Reno' }), other, bare, edited],
    edited,
  )
  expect(same).toMatchObject({ PackageWeight: '2', PackageHeight: '4', ToCity: 'Reno' })
  expect(rest[0]).toBe(other)
  expect(rest[1]).toBe(bare)
  expect(rest[2]).toBe(edited)
  expect(copyMeasures([bare, row({})], row({ PackageWeight: '5' }))[0]).toBe(bare)
})

test('an edited row becomes a SKU record if its measures are valid', () => {
  const edited = row({
    skuNumber: 'MUG',
    quantity: '3',
    PackageWeight: '2',
    PackageLength: '8',
    PackageWidth: '6',
    PackageHeight: '4',
  })
  expect(skuFromRow(edited)).toEqual({ ...MUG, maxQty: 3, weight: 2, description: '' })
  expect(skuFromRow(edited, MUG)?.maxQty).toBe(4)
  expect(skuFromRow(row({ skuNumber: 'MUG' }))).toBeNull()
  expect(skuFromRow({ ...edited, skuNumber: '' })).toBeNull()
})

test('sorting keeps the order of equal rows', () => {
  const rows = [
    ['', '9', 'a'],
    ['B', '1', 'b'],
    ['A', '10', 'c'],
    ['A', '9', 'd'],
    ['A', '10', 'e'],
    ['', '1', 'f'],
  ].map(([skuNumber = '', quantity = '', orderId = '']) => row({ skuNumber, quantity, orderId }))
  expect(
    sortBySku(rows)
      .map(one => one.orderId)
      .join(''),
  ).toBe('cedbaf')
})
