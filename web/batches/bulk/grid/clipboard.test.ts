import { expect, test } from 'vitest'
import { rowsCsv } from '#contract/faulty-rows.ts'
import { row as sampleRow } from '#tests/support/rows.ts'
import { EMPTY_BULK_DRAFT, toSubmittedRow, withPaste } from '#web/batches/bulk/drafts/draft.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { importFile } from '#web/batches/import/import-file.ts'
import { toClipboardTable, toClipboardText } from './clipboard.ts'
import { parseClipboard } from './paste.ts'
import type { ColumnKey } from './row-filter.ts'

const row = (index: number, change: Partial<GridRow> = {}): GridRow => ({
  ...sampleRow(1),
  id: `row-${index}`,
  line: index + 1,
  notices: [],
  ...change,
})
const COLUMNS: ColumnKey[] = ['ToRecipientName', 'ToStreet1', 'ToZipPostal', 'size', 'price']

test('copied cells come back the same from a spreadsheet, quotes, line breaks and formulas too', () => {
  const rows = [
    row(0, { ToRecipientName: '"XL" Ann\tLee', ToStreet1: 'two\nlines', ToZipPostal: '04101' }),
    row(1, { ToRecipientName: '=HYPERLINK("x")', ToStreet1: '+1 Main', ToZipPostal: '' }),
    row(2, { ToRecipientName: "'90s Toys", ToStreet1: '5" pipe' }),
  ]
  const text = toClipboardText(rows, COLUMNS.slice(0, 3))
  expect(text.split('\r\n')[1]).toBe(`'=HYPERLINK("x")\t'+1 Main\t`)
  const blank = rows.map(one => ({ ...one, ToRecipientName: '', ToStreet1: '', ToZipPostal: '' }))
  const { draft } = withPaste(
    { ...EMPTY_BULK_DRAFT, rows: blank },
    { row: 0, column: 0 },
    parseClipboard(text),
    COLUMNS,
    new Map(),
  )
  const cells = (one: GridRow) => [one.ToRecipientName, one.ToStreet1, one.ToZipPostal]
  expect(draft.rows.map(cells)).toEqual([
    ['"XL" Ann Lee', 'two lines', '04101'],
    ...rows.slice(1).map(cells),
  ])
})

test('a size is copied as one cell, a price as dollars', () => {
  const price = (_: GridRow, column: ColumnKey) => (column === 'price' ? '$6.50' : '')
  expect(toClipboardText([row(0)], ['size'])).toBe('9 × 6 × 3')
  expect(toClipboardText([row(0)], ['price'], price)).toBe('$6.50')
})

test('the copied table marks its cells as text and no cell as markup', () => {
  const table = toClipboardTable([row(0, { ToRecipientName: '<b>&"' })], COLUMNS.slice(0, 1))
  expect(table).toContain('&lt;b&gt;&amp;&quot;')
  expect(table).toContain('mso-number-format')
})

test('chosen rows are saved as a template that can be uploaded again', () => {
  const rows = [row(0, { ToRecipientName: 'Ann, "A"', orderId: '111-1', skuNumber: 'MUG' }), row(1)]
  const read = importFile(new TextEncoder().encode(rowsCsv(rows.map(toSubmittedRow))), 'rows.csv', {
    skus: [],
    maxRows: 10,
  })
  if (!('rows' in read)) throw new Error('the file was not read')
  expect(
    read.rows.map(({ ToRecipientName, orderId, skuNumber }) => [
      ToRecipientName,
      orderId,
      skuNumber,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ['Ann, "A"', '111-1', 'MUG'],
      ['Receiver 1', '', ''],
    ]),
  )
})

test('a chosen row of three orders has its items, references and description when it is uploaded again', () => {
  const items = [
    { orderItemId: '11', sku: 'TEE', quantity: '2' },
    { orderId: '1002', orderItemId: '12', sku: 'MUG', quantity: '1' },
    { orderId: '1003', orderItemId: '13', sku: 'CAP', quantity: '1', extra: { 'PO#': '7' } },
  ]
  const combined = row(0, {
    orderId: '1001',
    orderItemId: '11',
    quantity: '4',
    PackageReference1: 'box 7',
    PackageReference2: 'fragile',
    PackageDescription: '2x TEE, 1x MUG, 1x CAP',
    items,
  })
  const csv = rowsCsv([combined, row(1)].map(toSubmittedRow))
  const read = importFile(new TextEncoder().encode(csv), 'rows.csv', { skus: [], maxRows: 10 })
  if (!('rows' in read)) throw new Error('the file was not read')
  expect(read.source).toBe('template')
  expect(read.notices).toEqual([])
  expect(read.rows).toHaveLength(2)
  const { id: _id, line: _line, notices: _notices, ServiceName: _service, ...cells } = combined
  expect(read.rows.find(one => one.orderId === '1001')).toMatchObject(cells)
})
