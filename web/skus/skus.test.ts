import { expect, test } from 'vitest'
import type { SkuRecord } from '#contract/skus.ts'
import { isSameDraft, newSku, newSkuErrors, pageOfSku, searchSkus, toSkuDraft } from './draft.ts'
import { readSkuFile, countReplaced } from './sku-file.ts'

const MUG: SkuRecord = {
  _id: '7',
  sku: 'MUG',
  maxQty: 4,
  weight: 1.5,
  length: 8,
  width: 6,
  height: 4,
  description: 'Mug',
}
const HEAD = 'sku,maxQty,weight,length,width,height,description'
const read = (text: string, name = 'skus.csv') => readSkuFile(new TextEncoder().encode(text), name)

test('an empty form lists what is missing; a description is optional', () => {
  expect(newSkuErrors(newSku(), [])).toEqual({
    sku: 'SKU is required',
    maxQty: 'Max Quantity must be greater than 0',
    weight: 'Weight must be greater than 0',
    length: 'Length must be greater than 0',
    width: 'Width must be greater than 0',
    height: 'Height must be greater than 0',
  })
})

test('the form does not replace a known SKU', () => {
  const typed = { ...toSkuDraft(MUG), sku: ' MUG ' }
  expect(newSkuErrors(typed, [MUG])).toEqual({ sku: 'This SKU already exists' })
  expect(newSkuErrors({ ...typed, sku: 'mug' }, [MUG])).toEqual({})
})

test('editing begins with the saved figures as text', () => {
  expect(toSkuDraft(MUG)).toEqual({
    sku: 'MUG',
    maxQty: '4',
    weight: '1.5',
    length: '8',
    width: '6',
    height: '4',
    description: 'Mug',
  })
})

test('a new record is shown on its page', () => {
  const records = Array.from({ length: 12 }, (_, n) => ({ ...MUG, sku: `S${n}` }))
  expect(['S0', 'S4', 'S5', 'S11', 'gone'].map(sku => pageOfSku(records, sku, 5))).toEqual([
    1, 1, 2, 3, 1,
  ])
})

test('one invalid record stops the upload of the whole file', () => {
  expect(read(`${HEAD}\nMUG,4,1.5,8,6,4,Mug\n,0,1,1,1,1,\n`)).toEqual({
    text: 'Nothing was uploaded: 1 of 2 records has errors. Fix the file and upload it again.',
    invalid: [
      { row: 2, field: 'sku', message: 'SKU is required' },
      { row: 2, field: 'maxQty', message: 'Max Quantity must be greater than 0' },
    ],
  })
})

test('a file that is not a SKU file says why', () => {
  expect(read('FROM NAME,TO NAME\na,b\n')).toMatchObject({
    text: expect.stringContaining('no column sku'),
    invalid: [],
  })
  expect(read(`${HEAD}\nMUG,4,1.5,8,6,4,Mug\n`, 'skus.xlsx')).toMatchObject({
    text: 'Only .csv files are accepted here.',
  })
})

test('a file with too many records must be split', () => {
  const rows = Array.from({ length: 20_001 }, (_, n) => `S${n},1,1,1,1,1,`)
  expect(read([HEAD, ...rows].join('\n'))).toMatchObject({
    text: 'The file has 20,001 records. The limit is 20,000 per upload. Split it and upload the parts.',
  })
})

test('a valid file is counted by added and replaced records', () => {
  const file = read(`${HEAD}\nMUG,4,2,8,6,4,Mug\nCUP,4,1,8,6,4,Cup\n`)
  expect('records' in file && [file.records.length, countReplaced(file.records, [MUG])]).toEqual([
    2, 1,
  ])
})

test('a SKU is found by parts of its name and its description', () => {
  const lamp = { ...MUG, _id: '8', sku: 'LAMP-OAK', description: '' }
  const find = (search: string) => searchSkus([MUG, lamp], search).map(({ sku }) => sku)
  expect([find(''), find('oak'), find('mug'), find('mug oak')]).toEqual([
    ['MUG', 'LAMP-OAK'],
    ['LAMP-OAK'],
    ['MUG'],
    [],
  ])
})

test('a draft is unchanged when each field has its text again', () => {
  expect(isSameDraft(toSkuDraft(MUG), toSkuDraft(MUG))).toBe(true)
  expect(isSameDraft({ ...toSkuDraft(MUG), weight: '2' }, toSkuDraft(MUG))).toBe(false)
})
