import { expect, test } from 'vitest'
import { itemsProblem, MAX_ROW_EXTRA, MAX_ROW_ITEMS } from './row-items.ts'
import { parseItems } from './rows.ts'

const item = (orderItemId: string, changes: object = {}) => ({
  orderItemId,
  sku: 'TEE-M',
  quantity: '2',
  ...changes,
})

test('items are read as text, and a missing quantity is one', () => {
  expect(
    parseItems([
      item(' 00000000000011 ', { quantity: 3, orderId: '#1001', other: 1 }),
      { orderItemId: 12 },
    ]),
  ).toEqual([
    { orderItemId: '00000000000011', sku: 'TEE-M', quantity: '3', orderId: '#1001' },
    { orderItemId: '12', sku: '', quantity: '1' },
  ])
  expect(parseItems('TEE-M')).toEqual([])
})

test('a column of the source keeps its text in one line', () => {
  const [read] = parseItems([
    item('1', { extra: { 'PO#': '108\t', Qty: 2, Note: 'a\u0000\ud800b' } }),
  ])
  expect(read!.extra).toEqual({ 'PO#': '108 ', Qty: '2', Note: 'a  b' })
})

test.each([
  [undefined, null],
  [null, null],
  [[], null],
  [[item('1'), item('2', { extra: { 'PO#': '108' } })], null],
  ['1', 'Items must be a list of order items'],
  [[item('1'), 'x'], 'Order item 2: must be an object with orderItemId, sku and quantity'],
  [[{ sku: ['a'] }], 'Order item 1: sku must be text'],
  [[item('1', { extra: 'PO#' })], 'Order item 1: extra must have texts by column name'],
  [
    [item('1'), item('1'.repeat(61))],
    'Order item 2: Item ID must be at most 60 characters; this has 61',
  ],
  [[item('1', { quantity: '0' })], 'Order item 1: Quantity must be a whole number of at least 1'],
  [[item('1', { quantity: '2.5' })], 'Order item 1: Quantity must be a whole number of at least 1'],
  [
    [item('a\u0000')],
    'Order item 1: Item ID contains a character that cannot be printed; type it again',
  ],
])('what is wrong with %j is said', (items, problem) => {
  expect(itemsProblem(items)).toBe(problem)
})

test('a row has a limited number of items, and of characters in their extra columns', () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => item(String(n)))
  expect(itemsProblem(many(MAX_ROW_ITEMS))).toBeNull()
  expect(itemsProblem(many(MAX_ROW_ITEMS + 1))).toBe(
    'A row must have at most 500 order items; this has 501. Split it into several rows',
  )
  const half = item('1', { extra: { A: 'x'.repeat(MAX_ROW_EXTRA / 2) } })
  expect(itemsProblem([half])).toBeNull()
  expect(itemsProblem([half, half])).toBe(
    'The extra columns of all order items must have at most 4096 characters; these have 4098',
  )
})
