import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyRow } from '#contract/rows.ts'
import type { BulkRow, RowItem } from '#contract/rows.ts'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import {
  canSplit,
  descriptionOf,
  itemsOf,
  MAX_PARCELS,
  nextRowNumber,
  packagesOf,
  splitByMaxQty,
  sumOfQuantities,
} from './row-items.ts'

const TEE: SkuMeasures = {
  sku: 'TEE',
  maxQty: 5,
  weight: 2,
  length: 9,
  width: 7,
  height: 3,
  description: 'T-shirt',
}
const row = (cells: Partial<BulkRow> = {}, items?: RowItem[]): GridRow => ({
  ...emptyRow(),
  orderId: '1001',
  orderItemId: '1001-1',
  skuNumber: 'TEE',
  ...cells,
  id: 'row-7',
  line: 8,
  notices: [],
  ...(items && { items }),
})

test('a row is its own item, and keeps the extra columns of one', () => {
  expect(itemsOf(row({ quantity: '' }))).toEqual([
    { orderItemId: '1001-1', sku: 'TEE', quantity: '1' },
  ])
  const item = { orderItemId: 'old', sku: 'OLD', quantity: '9', extra: { UPC: '012' } }
  expect(itemsOf(row({ quantity: '2' }, [item]))).toEqual([
    { orderItemId: '1001-1', sku: 'TEE', quantity: '2', extra: { UPC: '012' } },
  ])
})

test('quantities add; one that is no number stays visible', () => {
  expect(sumOfQuantities(['2', '', ' 3 '])).toBe('6')
  expect(sumOfQuantities(['2', '1.5', '3'])).toBe('1.5')
})

test('the description names the SKUs with their quantities and never exceeds its field', () => {
  expect(descriptionOf([row({ quantity: '2' }), row({ skuNumber: 'MUG' })])).toBe('2x TEE, 1x MUG')
  expect(descriptionOf([row({ quantity: '2' }), row({ quantity: '3' })])).toBe('')
  const poster = row({ skuNumber: '', PackageDescription: 'Poster' })
  expect(descriptionOf([poster, poster])).toBe('Poster')
  expect(descriptionOf([poster, row()])).toBe('1x Poster, 1x TEE')
  const many = Array.from({ length: 60 }, (_, index) => row({ skuNumber: `ARTICLE-${index}` }))
  const text = descriptionOf(many)
  expect(text.length).toBeLessThanOrEqual(200)
  expect(text).toMatch(/, 4\d more$/)
})

test('a quantity of 12 with 5 in a package is three parcels of the record’s weight and size', () => {
  const whole = row({ quantity: '12', PackageReference1: '12', PackageWeight: '3' })
  expect(packagesOf(whole, TEE)).toBe(3)
  const parcels = splitByMaxQty(whole, TEE, 20)
  expect(parcels.map(({ id, quantity }) => `${id}: ${quantity}`)).toEqual([
    'row-7: 5',
    'row-20: 5',
    'row-21: 2',
  ])
  for (const parcel of parcels)
    expect(parcel).toMatchObject({
      orderItemId: '1001-1',
      PackageWeight: '2',
      PackageLength: '9',
      PackageReference1: parcel.quantity,
    })
})

test('what fits in one package, or would fill more than 100, is not split', () => {
  for (const quantity of ['5', 'x', String(5 * MAX_PARCELS + 1)]) {
    const whole = row({ quantity })
    expect(splitByMaxQty(whole, TEE, 20)).toEqual([whole])
  }
})

const TWO_ITEMS = [
  { orderItemId: '1001-1', sku: 'TEE', quantity: '5' },
  { orderId: '1002', orderItemId: '1002-1', sku: 'MUG', quantity: '3' },
]

test('a combined row is not split while its quantity is not that of its items', () => {
  for (const quantity of ['7', '9', '16']) {
    const edited = row({ quantity }, TWO_ITEMS)
    expect(canSplit(edited, TEE)).toBe(false)
    expect(splitByMaxQty(edited, TEE, 20)).toEqual([edited])
  }
  expect(canSplit(row({ quantity: '8' }, TWO_ITEMS), TEE)).toBe(true)
  expect(canSplit(row({ quantity: '8' }), undefined)).toBe(false)
})

test('a parcel of another order’s items has that order’s ids and SKU', () => {
  const parcels = splitByMaxQty(row({ quantity: '8' }, TWO_ITEMS), TEE, 20)
  expect(parcels).toMatchObject([
    { orderId: '1001', skuNumber: 'TEE', quantity: '5' },
    { orderId: '1002', orderItemId: '1002-1', skuNumber: 'MUG', quantity: '3' },
  ])
  expect(parcels.map(itemsOf)).toEqual([
    [{ orderItemId: '1001-1', sku: 'TEE', quantity: '5' }],
    [{ orderItemId: '1002-1', sku: 'MUG', quantity: '3' }],
  ])
})

test('parcels have all pieces of all items, in their order', () => {
  const quantities = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 2, maxLength: 6 })
  fc.assert(
    fc.property(quantities, fc.integer({ min: 1, max: 9 }), (pieces, maxQty) => {
      const items = pieces.map((count, index) => ({
        orderItemId: `item-${index}`,
        sku: 'TEE',
        quantity: String(count),
      }))
      const total = pieces.reduce((sum, count) => sum + count, 0)
      const parcels = splitByMaxQty(
        row({ quantity: String(total) }, items),
        { ...TEE, maxQty },
        100,
      )
      if (parcels.length === 1) return
      const split = parcels.flatMap(itemsOf)
      pieces.forEach((count, index) => {
        const own = split.filter(({ orderItemId }) => orderItemId === `item-${index}`)
        expect(own.reduce((sum, { quantity }) => sum + Number(quantity), 0)).toBe(count)
      })
      for (const parcel of parcels) {
        expect(Number(parcel.quantity)).toBeLessThanOrEqual(maxQty)
        expect(parcel.orderItemId).toBe(itemsOf(parcel)[0]!.orderItemId)
      }
    }),
  )
})

test('a new row gets an id that no row and no line of a combined row has', () => {
  const combined = { ...row(), parts: [row(), { ...row(), id: 'row-31' as const }] }
  expect(nextRowNumber([combined, { ...row(), id: 'row-9' }])).toBe(32)
  expect(nextRowNumber([])).toBe(0)
})
