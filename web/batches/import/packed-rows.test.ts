import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FIELDS } from '#contract/rows.ts'
import { row } from '#tests/support/rows.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { packRows, transferOf, unpackRows } from './packed-rows.ts'

const few = fc.constantFrom('', 'US', 'Bend', 'Núñez 🦊', '97701')
const cells = fc.record(Object.fromEntries(FIELDS.map(({ name }) => [name, few])))
const items = [{ orderItemId: 'a-1', sku: 'MUG', quantity: '2', extra: { 'PO#': '7' } }]

const rowsOf = (count: number, change: (at: number) => Partial<GridRow> = () => ({})): GridRow[] =>
  Array.from({ length: count }, (_, at) => ({
    ...row(at + 1),
    id: `row-${at + 500}` as const,
    line: count - at,
    notices: [],
    ...change(at),
  }))

test('rows come out of their columns as they went in', () => {
  fc.assert(
    fc.property(fc.array(cells, { maxLength: 20 }), changes => {
      const rows = rowsOf(changes.length, at => changes[at] as Partial<GridRow>)
      expect(unpackRows(structuredClone(packRows(rows)))).toEqual(rows)
    }),
  )
})

test('notices, items, lines of a combined row and the file stay with their rows', () => {
  const [part] = rowsOf(1) as [GridRow]
  const rows = rowsOf(5, at =>
    at === 3 ? { notices: ['ZIP completed.'], items, parts: [part], file: 1 } : {},
  )
  expect(unpackRows(structuredClone(packRows(rows)))).toEqual(rows)
})

test('the columns that a file gave to its items stay with them, whole and in part', () => {
  const extra = (at: number) => ({ 'PO#': `${at}`, Status: 'Created', 'Ship To State': 'OR' })
  const rows = rowsOf(8, at => ({
    items: [
      {
        orderItemId: `i-${at}`,
        sku: 'MUG',
        quantity: '1',
        extra: at === 5 ? { 'PO#': 'alone' } : extra(at),
        ...(at === 6 && { orderId: 'other' }),
      },
      ...(at === 7 ? items : []),
    ],
    ...(at === 2 && { notices: ['Shortened.'] }),
  }))
  const packed = packRows(rows)
  expect(packed.items?.rows).toHaveLength(5)
  expect(unpackRows(structuredClone(packed, { transfer: transferOf(packed) }))).toEqual(rows)
})

test('a column of thousands of different texts comes out whole', () => {
  const rows = rowsOf(5_000, at => ({
    orderId: `A-${at}`,
    ToCity: at % 2 === 0 ? 'Bend' : 'Salem',
  }))
  expect(unpackRows(structuredClone(packRows(rows)))).toEqual(rows)
})

test('no rows are no rows', () => {
  expect(unpackRows(packRows([]))).toEqual([])
})
