import { expect, test } from 'vitest'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import { parseSkuFile, skuCsv } from './sku-file.ts'

const MUG: SkuMeasures = {
  sku: 'MUG',
  maxQty: 4,
  weight: 1.5,
  length: 8,
  width: 6,
  height: 4,
  description: 'Mug',
}
const file = (text: string, name = 'skus.csv') => parseSkuFile(new TextEncoder().encode(text), name)

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

test('an invalid SKU file says why', () => {
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
  const small: SkuMeasures = { ...MUG, sku: '\ufe66MUG', description: "'-5 off" }
  expect(file(skuCsv([small]))).toMatchObject({ records: [small], notices: [] })
  expect(skuCsv([small])).toContain("\r\n'\ufe66MUG,4,1.5,")
})

test('without records the file is a header line to fill in', () => {
  expect(skuCsv([])).toBe('\ufeffsku,maxQty,weight,length,width,height,description\r\n')
})
