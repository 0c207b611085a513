import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import { rowErrors } from '#contract/row-rules.ts'
import { row as sampleRow } from '#tests/support/rows.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import type { RowFacts, RowFilter, RowSort } from './row-filter.ts'
import { isFiltering, prepareSearch, sizeText, visibleRows } from './row-filter.ts'

const row = (index: number, change: Partial<GridRow> = {}): GridRow => ({
  ...sampleRow(1),
  id: `row-${index}`,
  line: index + 1,
  notices: [],
  ...change,
})
const facts: RowFacts = { errors: row => rowErrors(row) }
const shown = (
  rows: GridRow[],
  filter: RowFilter | null,
  sort: RowSort | null = null,
  more: Partial<RowFacts> = {},
) => visibleRows(rows, filter, sort, { ...facts, ...more })

const names = (...all: string[]) => all.map((name, index) => row(index, { ToRecipientName: name }))

test('a search finds rows by any of their cells, in any letter case', () => {
  const rows = [row(0, { ToStreet1: '9 Oak St' }), row(1), row(2, { skuNumber: 'OAK-1' })]
  expect(shown(rows, { text: ' oak ' })).toEqual([0, 2])
  expect(shown(rows, { text: '' })).toEqual([0, 1, 2])
})

test('after the rows are prepared, a search reads no cell', () => {
  let reads = 0
  const watched = new Proxy(row(0, { ToStreet1: '9 Oak St' }), {
    get: (cells, name) => {
      reads += 1
      return cells[name as keyof GridRow]
    },
  })
  prepareSearch([watched])
  expect(reads).toBeGreaterThan(0)
  reads = 0
  expect(shown([watched], { text: 'oak' })).toEqual([0])
  expect(reads).toBe(0)
})

test('only rows with faults are shown, or those of one cause or file', () => {
  const rows = [row(0), row(1, { ToCity: '', file: 1 }), row(2, { file: 1 })]
  expect(shown(rows, { faults: true })).toEqual([1])
  expect(shown(rows, { file: 1 })).toEqual([1, 2])
  const causes = (one: GridRow) => (one.ToCity === '' ? ['city'] : [])
  expect(shown(rows, { cause: 'city' }, null, { causes })).toEqual([1])
  expect(shown(rows, { cause: 'zip' })).toEqual([])
})

test('a column is filtered by a part of its text, by a whole value, or by empty cells', () => {
  const rows = names('Ana Lee', 'Lee', '')
  expect(shown(rows, { columns: { ToRecipientName: 'lee' } })).toEqual([0, 1])
  expect(shown(rows, { columns: { ToRecipientName: '=lee' } })).toEqual([1])
  expect(shown(rows, { columns: { ToRecipientName: '=' } })).toEqual([2])
  expect(shown(rows, { columns: { size: '=9 × 6 × 3', ToRecipientName: '' } })).toEqual([0, 1, 2])
})

test('a price is filtered as it is shown, and rows without one as empty', () => {
  const rows = names('light', 'heavy', 'faulty')
  const prices = [650, 1950, null].map(price => (price === null ? null : cents(price)))
  const priced = (price: string) =>
    shown(rows, { columns: { price } }, null, { cents: one => prices[rows.indexOf(one)]! })
  expect(priced('6.5')).toEqual([0])
  expect(priced('=$19.50')).toEqual([1])
  expect(priced('=')).toEqual([2])
})

test('names are sorted without regard to case and accents, numbers in them by value, empty ones last', () => {
  const rows = names('Unit 10', 'élan', '', 'Unit 9', 'Zoe', 'ELSA')
  const order = (descending: boolean) =>
    shown(rows, null, { column: 'ToRecipientName', descending }).map(
      index => rows[index]!.ToRecipientName,
    )
  expect(order(false)).toEqual(['élan', 'ELSA', 'Unit 9', 'Unit 10', 'Zoe', ''])
  expect(order(true)).toEqual(['Zoe', 'Unit 10', 'Unit 9', 'ELSA', 'élan', ''])
})

test('weights, sizes and prices are sorted by number, and equal rows keep their order', () => {
  const weights = ['10', '9', 'heavy', '9.5', '9'].map((PackageWeight, index) =>
    row(index, { PackageWeight }),
  )
  expect(shown(weights, null, { column: 'PackageWeight', descending: false })).toEqual([
    1, 4, 3, 0, 2,
  ])
  const sizes = [row(0, { PackageLength: '20' }), row(1), row(2, { PackageHeight: '' })]
  expect(shown(sizes, null, { column: 'size', descending: true })).toEqual([0, 1, 2])
  const priceOf = (one: GridRow) =>
    one.id === 'row-1' ? null : cents(Number(one.id.slice(4)) * 100)
  expect(
    shown(
      [row(0), row(1), row(2)],
      null,
      { column: 'price', descending: true },
      { cents: priceOf },
    ),
  ).toEqual([2, 0, 1])
})

test('a size shows what is missing of it', () => {
  expect(sizeText(row(0, { PackageWidth: '' }))).toBe('9 × – × 3')
  expect(sizeText(row(0, { PackageLength: '', PackageWidth: '', PackageHeight: '' }))).toBe('')
})

test('a filter that asks for nothing leaves no row out', () => {
  expect([null, {}, { text: '', columns: { ToCity: '' } }].map(isFiltering)).toEqual([
    false,
    false,
    false,
  ])
  expect(isFiltering({ columns: { ToCity: '=' } })).toBe(true)
})
