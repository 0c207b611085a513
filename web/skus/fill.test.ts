import { expect, test } from 'vitest'
import { emptyRow } from '#contract/rows.ts'
import type { BulkRow } from '#contract/rows.ts'
import { enterSku, filledBefore, fillFromSku, indexBySku } from './fill.ts'

const MUG = {
  sku: 'MUG',
  maxQty: 4,
  weight: 1.5,
  length: 8,
  width: 6,
  height: 4,
  description: 'Mug',
}
const CRATE = { ...MUG, sku: 'MUG-2', weight: 9, length: 20, description: 'Two mugs' }
const SKUS = indexBySku([MUG, CRATE])
const row = (change: Partial<BulkRow>): BulkRow => ({ ...emptyRow(), ...change })

test('a known SKU fills only the empty measures of a row', () => {
  expect(fillFromSku(row({ skuNumber: 'MUG', PackageWeight: '3' }), MUG)).toMatchObject({
    PackageWeight: '3',
    PackageLength: '8',
    PackageWidth: '6',
    PackageHeight: '4',
    PackageDescription: 'Mug',
  })
  const unknown = row({ skuNumber: 'BOX' })
  expect(fillFromSku(unknown, undefined)).toBe(unknown)
})

test('another SKU brings its own measures, and keeps what was typed', () => {
  const first = enterSku(row({ skuNumber: ' MUG ' }), filledBefore(row({})), SKUS)
  expect(first.row).toMatchObject({ PackageWeight: '1.5', PackageLength: '8' })
  const typed = { ...first.row, skuNumber: 'MUG-2', PackageWidth: '7' }
  const second = enterSku(typed, first.fill, SKUS)
  expect(second.row).toMatchObject({
    PackageWeight: '9',
    PackageLength: '20',
    PackageWidth: '7',
    PackageDescription: 'Two mugs',
  })
  const unknown = enterSku({ ...second.row, skuNumber: 'BOX' }, second.fill, SKUS)
  expect(unknown.row).toMatchObject({
    PackageWeight: '',
    PackageLength: '',
    PackageWidth: '7',
    PackageDescription: '',
  })
})

test('a SKU that stays the same fills nothing again', () => {
  const own = row({ skuNumber: 'MUG' })
  expect(enterSku(own, filledBefore(own), SKUS).row).toBe(own)
  const { row: filled, fill } = enterSku(own, filledBefore(row({})), SKUS)
  const cleared = { ...filled, PackageDescription: '' }
  expect(enterSku(cleared, fill, SKUS)).toEqual({ row: cleared, fill })
})

const SAVED = row({
  skuNumber: 'MUG',
  PackageWeight: '1.5',
  PackageLength: '8',
  PackageWidth: '7',
  PackageHeight: '4',
  PackageDescription: 'Mug',
})
const CORRECTED = {
  PackageWeight: '9',
  PackageLength: '20',
  PackageWidth: '7',
  PackageDescription: 'Two mugs',
}

test('a row whose SKU is corrected gets the measures of the right one', () => {
  const corrected = enterSku({ ...SAVED, skuNumber: 'MUG-2' }, filledBefore(SAVED, SKUS), SKUS)
  expect(corrected.row).toMatchObject(CORRECTED)
  const renamed = { ...SAVED, skuNumber: 'MUG-BLUE' }
  expect(enterSku(renamed, filledBefore(SAVED, SKUS), SKUS).row).toEqual(renamed)
})

test.each(['', 'MUG-'])('a SKU that was “%s” on the way still gets its own measures', onTheWay => {
  const left = { ...SAVED, skuNumber: onTheWay }
  const first = enterSku(left, filledBefore(SAVED, SKUS), SKUS)
  expect(first.row).toEqual(left)
  const second = enterSku({ ...first.row, skuNumber: 'MUG-2' }, first.fill, SKUS)
  expect(second.row).toMatchObject(CORRECTED)
})
