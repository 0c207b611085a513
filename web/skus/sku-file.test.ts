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

test('units of the header, of a cell or of their own column are read as pounds and inches', () => {
  const read = (text: string) => {
    const answer = file(text)
    return 'problem' in answer ? answer : answer.records.map(one => [one.weight, one.length])
  }
  const header = 'sku,maxQty,Weight (oz),Length cm,width,height'
  expect(read(`${header}\nMUG,4,24,20.32,6,4`)).toEqual([[1.5, 8]])
  const plain = 'sku,maxQty,weight,length,width,height'
  expect(read(`${plain}\nMUG,4,1 lb 8 oz,20.32 cm,6,4\nCUP,1,500 g,8 in,6,4`)).toEqual([
    [1.5, 8],
    [1.1023, 8],
  ])
  expect(read(`${plain},weight unit\nMUG,4,24,8,6,4,ounces\nCUP,1,2,8,6,4,lb`)).toEqual([
    [1.5, 8],
    [2, 8],
  ])
  expect(file(`${header}\nMUG,4,24,20.32,6,4`)).toMatchObject({
    notices: ['2 measures read in pounds and inches, such as 24 oz read as 1.5 lb.'],
  })
  expect(file(`${plain}\nMUG,4,8 stone,8,6,4`)).toMatchObject({
    invalid: [{ row: 1, field: 'weight' }],
  })
})

test('SKUs and figures that a spreadsheet forced to text are read as they are in files of orders', () => {
  const header = 'sku,maxQty,weight,length,width,height,description'
  expect(
    file(`${header}\r\n'00123,'4,'1.5,8,6,4,'s-Gravenhage tile\r\n="00124",4,1.5,8,6,4,Mug`),
  ).toMatchObject({
    records: [
      { ...MUG, sku: '00123', description: "'s-Gravenhage tile" },
      { ...MUG, sku: '00124' },
    ],
    invalid: [],
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

test('a SKU file that is not Unicode, or has letters that cannot be read, says so', () => {
  const text = (description: string) =>
    `sku,maxQty,weight,length,width,height,description\nMUG,4,1.5,8,6,4,${description}`
  const latin = Uint8Array.from(text('Café mug'), letter => letter.charCodeAt(0))
  expect(parseSkuFile(latin, 'skus.csv')).toMatchObject({
    records: [{ description: 'Café mug' }],
    notices: ['This file is not Unicode and was read as Windows-1252. Check names with accents.'],
  })
  expect(file(text('Caf\ufffd mug'))).toMatchObject({
    notices: [expect.stringContaining('shown as \ufffd')],
  })
  expect(file(text('Café mug'))).toMatchObject({ notices: [] })
})
