import { expect, test } from 'vitest'
import { emptyRow } from './rows.ts'
import type { BulkRow } from './rows.ts'
import {
  copyMeasures,
  fillFromSku,
  parseSkuFile,
  skuCsv,
  skuErrors,
  skuFromRow,
  toSkuMeasures,
  sortBySku,
} from './sku-rules.ts'
import type { SkuMeasures } from './sku-rules.ts'

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
const file = (text: string, name = 'skus.csv') => parseSkuFile(new TextEncoder().encode(text), name)

test('a SKU record needs a SKU and sizes above 0', () => {
  expect(
    skuErrors({ sku: ' ', maxQty: 0, weight: '', length: 'x', width: -1, height: null }),
  ).toEqual({
    sku: 'SKU is required',
    maxQty: 'Max Quantity must be greater than 0',
    weight: 'Weight must be greater than 0',
    length: 'Length must be greater than 0',
    width: 'Width must be greater than 0',
    height: 'Height must be greater than 0',
  })
  expect(skuErrors(MUG)).toEqual({})
  expect(skuErrors({ ...MUG, maxQty: 1.5, weight: 1000, sku: 'x'.repeat(61) })).toEqual({
    maxQty: 'Max Quantity must be a whole number',
    weight: 'Weight must be at most 999',
    sku: 'SKU must be at most 60 characters long',
  })
  expect(toSkuMeasures({ ...MUG, sku: ' MUG ', weight: '1.5', description: null })).toEqual({
    ...MUG,
    description: '',
  })
})

test('a SKU file is read by its headers; the last of two records with one SKU counts', () => {
  const header = 'Description,SKU,Max Qty,Weight (lb),Length,Width,Height'
  const read = file(`${header}\r\n\r\nOld,MUG,1,1,1,1,1\r\nMug,MUG,4,1.5,8,6,4\r\n,,,,,,\r\n`)
  expect(read).toEqual({
    records: [MUG],
    invalid: [],
    total: 2,
    notices: ['1 record(s) repeat a SKU of this file; the last one counts.'],
  })
})

test('a SKU file that cannot be one says why', () => {
  expect(file('sku\nMUG', 'skus.txt')).toEqual({ problem: 'Only .csv files are accepted here.' })
  expect(file('sku,weight\nMUG,1')).toEqual({
    problem: expect.stringContaining('no column maxQty, length, width, height'),
  })
  expect(file('sku,maxQty,weight,length,width,height\n')).toEqual({
    problem: expect.stringContaining('no records below it'),
  })
})

test('SKU records saved as a file are read again as they were, and no spreadsheet calculates them', () => {
  const odd: SkuMeasures = { ...MUG, sku: '=MUG', weight: 0.25, description: 'Mug, "large"; 12 oz' }
  expect(file(skuCsv([MUG, odd]))).toMatchObject({ records: [MUG, odd], invalid: [], notices: [] })
  expect(skuCsv([odd])).toContain("\r\n'=MUG,4,0.25,")
})

test('without records the file is a header line to fill in', () => {
  expect(skuCsv([])).toBe('\ufeffsku,maxQty,weight,length,width,height,description\r\n')
})

test('a known SKU fills what the row leaves open', () => {
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

test('saving a row copies its measures to the rows with the same SKU and to no other', () => {
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

test('an edited row becomes a SKU record when its measures are sound', () => {
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

test('sorting keeps the order of equals', () => {
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
