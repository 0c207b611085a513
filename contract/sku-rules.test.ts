import { expect, test } from 'vitest'
import { skuErrors, toSkuMeasures } from './sku-rules.ts'
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

test('a SKU record needs a SKU and measures above 0', () => {
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
    weight: 'Weight must be less than or equal to 999',
    sku: 'SKU must be at most 60 characters',
  })
  expect(skuErrors({ ...MUG, sku: 'x'.repeat(241), width: '9'.repeat(97) })).toEqual({
    sku: 'SKU must be at most 60 characters; this has 241',
    width: 'Width must be at most 24 characters; this has 97',
  })
  expect(toSkuMeasures({ ...MUG, sku: ' MUG ', weight: '1.5', description: null })).toEqual({
    ...MUG,
    description: '',
  })
})
