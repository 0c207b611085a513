import { expect, test } from 'vitest'
import { textsOf } from '#contract/fault-texts.ts'
import type { SkuInput } from '#contract/sku-rules.ts'
import type { Refusal } from '#server/platform/http/refusal.ts'
import { checkedSkuRecord, SkuList } from './rules.ts'

const mug: SkuInput = {
  sku: 'MUG-1',
  maxQty: 4,
  weight: 1.5,
  length: 6,
  width: 5,
  height: '4.25',
  description: 'A mug',
}

function checkedSkuRecords(entries: SkuInput[]) {
  const list = new SkuList()
  list.add(entries)
  return list.records()
}

function refusal(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return { text: (error as Error).message, fields: textsOf((error as Refusal).fields as never) }
  }
}

test('a record accepts numbers and numeric text', () => {
  expect(checkedSkuRecord({ ...mug, sku: ' MUG-1 ', weight: '1.50', description: null })).toEqual({
    sku: 'MUG-1',
    maxQty: 4,
    weight: 1.5,
    length: 6,
    width: 5,
    height: 4.25,
    description: '',
  })
})

test('a measure that rounds to zero is refused', () => {
  expect(refusal(() => checkedSkuRecord({ ...mug, weight: 0.00004 }))).toEqual({
    text: 'Weight must be greater than 0',
    fields: { weight: 'Weight must be greater than 0' },
  })
  expect(checkedSkuRecord({ ...mug, weight: 1.23456789 }).weight).toBe(1.2346)
})

test('the form has the specified texts', () => {
  expect(refusal(() => checkedSkuRecord({ sku: '' }))).toEqual({
    text: 'SKU is required',
    fields: {
      sku: 'SKU is required',
      maxQty: 'Max Quantity must be greater than 0',
      weight: 'Weight must be greater than 0',
      length: 'Length must be greater than 0',
      width: 'Width must be greater than 0',
      height: 'Height must be greater than 0',
    },
  })
})

test('of two records with the same SKU the last one counts', () => {
  const records = checkedSkuRecords([
    mug,
    { ...mug, sku: 'CUP' },
    { ...mug, sku: 'MUG-1 ', weight: 9 },
  ])
  expect(records.map(({ sku, weight }) => [sku, weight])).toEqual([
    ['MUG-1', 9],
    ['CUP', 1.5],
  ])
})

test('invalid records of a list are named by row and field', () => {
  expect(
    refusal(() =>
      checkedSkuRecords([mug, { ...mug, weight: 0, maxQty: 1.5 }, { ...mug, sku: '' }]),
    ),
  ).toEqual({
    text: 'Row 2: Max Quantity must be a whole number',
    fields: {
      '2.maxQty': 'Max Quantity must be a whole number',
      '2.weight': 'Weight must be greater than 0',
      '3.sku': 'SKU is required',
    },
  })
  expect(refusal(() => checkedSkuRecords([{ ...mug, weight: 0 }]))).toMatchObject({
    text: 'Weight must be greater than 0',
  })
})
