import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowErrors } from '#contract/row-rules.ts'
import { SELLER_FILES, sellerFile, SOURCE_OF } from '#tests/support/seller-files.ts'
import type { SellerFile, SellerFormat } from '#tests/support/seller-files.ts'
import type { Format } from '#tests/support/seller-lines.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { importFile, importSheet } from '#web/batches/import/import-file.ts'
import type { ImportContext, ImportResult } from '#web/batches/import/import-file.ts'
import { decodeText } from '#web/client/decode-text.ts'
import { parseQuotedRows, parseTabbedRows, trimLeadingLines } from '#web/client/delimited-text.ts'

const FORMATS = Object.keys(SELLER_FILES) as SellerFormat[]
const SENDER = {
  name: 'Wanda Osei',
  street: '1 Mill Rd',
  city: 'Roseburg',
  state: 'OR',
  zip: '97470',
}
const CONTEXT: ImportContext = { senderAddress: SENDER, skus: [], maxRows: 50_000 }

function read(
  file: SellerFile,
  header: readonly string[] = file.header,
  records: readonly string[][] = file.records,
): ImportResult {
  const bytes = new TextEncoder().encode(file.text(header, records))
  const answer = importFile(bytes, file.fileName, CONTEXT)
  if (!('rows' in answer)) throw new Error(JSON.stringify(answer).slice(0, 500))
  return answer
}
const inFileOrder = (rows: readonly GridRow[]): GridRow[] =>
  rows.toSorted((a, b) => a.line - b.line)

test.each(FORMATS)('the export %s of 200 orders is read without a question', format => {
  const file = sellerFile(format)
  const { source, rows, leftOut, notices, columns } = read(file)
  expect(source).toBe(SOURCE_OF[format])
  expect(inFileOrder(rows)).toMatchObject(file.rows)
  expect(rows).toHaveLength(file.rows.length)
  const byReason = (a: { reason: string }, b: { reason: string }) => (a.reason < b.reason ? -1 : 1)
  expect(leftOut.toSorted(byReason)).toEqual(file.leftOut.toSorted(byReason))
  for (const { reason } of leftOut)
    expect(notices.filter(notice => notice.includes(`left out: ${reason} (`))).toHaveLength(1)
  expect(columns.map(({ header }) => header)).toEqual(file.header)
  const wrong = rows.flatMap(row => Object.keys(rowErrors(row, { needService: false })))
  expect(wrong.filter(field => !field.startsWith('Package'))).toEqual([])
})

test.each(FORMATS)(
  'columns of %s in any order and with others beside them: the same rows',
  format => {
    const seed = fc.integer({ min: 1, max: 1e6 })
    const order = fc.shuffledSubarray([...sellerFile(format, 1).header.keys()], {
      minLength: sellerFile(format, 1).header.length,
    })
    fc.assert(
      fc.property(seed, order, fc.nat(30), (start, places, at) => {
        const file = sellerFile(format, 12, start)
        const mixed = (cells: readonly string[], more: string) =>
          places.map(place => cells[place] ?? '').toSpliced(at, 0, more)
        const records = file.records.map(record => mixed(record, 'of my own'))
        const again = read(file, mixed(file.header, 'My Column'), records)
        const known = read(file)
        expect(again.rows.map(withoutExtra)).toEqual(known.rows.map(withoutExtra))
        expect(again.leftOut).toEqual(known.leftOut)
      }),
      { numRuns: 12 },
    )
  },
)

test.each(['shopify', 'ebay'] as const)(
  'a file of %s with the lines of each order in another order: the same orders go to the same receivers',
  format => {
    const file = sellerFile(format)
    const receivers = ({ rows }: ImportResult) =>
      rows
        .map(({ orderId, skuNumber, quantity, ToRecipientName, ToStreet1, ToZipPostal }) =>
          [orderId, skuNumber, quantity, ToRecipientName, ToStreet1, ToZipPostal].join('|'),
        )
        .toSorted()
    const leftOut = (result: ImportResult) =>
      result.leftOut.map(({ reason, lines }) => `${lines} ${reason}`).toSorted()
    const sorted = read(file, file.header, file.records.toReversed())
    expect(receivers(sorted)).toEqual(receivers(read(file)))
    expect(leftOut(sorted)).toEqual(leftOut(read(file)))
  },
)

test.each([
  ['shopify', 'Lineitem sku', 'Lineitem name'],
  ['amazon', 'sku', 'product-name'],
  ['etsyItems', 'SKU', 'Item Name'],
  ['ebay', 'Custom Label', 'Item Title'],
  ['walmart', 'SKU', 'Item Description'],
  ['tiktok', 'Seller SKU', 'Product Name'],
  ['advancedOrderExport', 'SKU', 'Item Name'],
] as const)(
  'without SKUs a packing slip can name the items of %s, since their names are read',
  (format, skuColumn, nameColumn) => {
    const file = sellerFile(format, 12)
    const [skuAt, nameAt] = [file.header.indexOf(skuColumn), file.header.indexOf(nameColumn)]
    const noSkus = file.records.map(record => record.with(skuAt, ''))
    const { rows } = read(file, file.header, noSkus)
    expect(rows.map(row => row.PackageDescription)).toEqual(
      rows.map(row => file.records[row.line - 1]![nameAt]),
    )
    expect(read(file).rows.filter(row => row.PackageDescription !== '')).toEqual([])
  },
)

const CELLS = ['', ' ', 'x', '1', '="04101"', "'2", 'a "b"', 'c, d', 'e\r\nf', ',,,', '木']
const NAMES = ['TRACKING NUMBER', 'Items', 'order_item_2', 'Name', 'SKU', 'Note']
const changes = fc.array(fc.tuple(fc.nat(40), fc.nat(90), fc.constantFrom(...CELLS)), {
  maxLength: 30,
})

/** Some cells changed, more columns at the end, and every fourth line cut. */
function spoiled(
  { header, records }: SellerFile,
  cells: readonly [row: number, column: number, text: string][],
  more: readonly string[],
  cut: number,
): [header: string[], records: string[][]] {
  const changed = records.map(record => [...record])
  for (const [row, column, text] of cells) (changed[row] ?? [])[column] = text
  const ragged = changed.map((record, at) =>
    Array.from(at % 4 === 1 ? record.slice(0, -1 - cut) : record, cell => cell ?? ''),
  )
  return [[...header, ...more], ragged]
}

test.each(FORMATS)('of %s only the columns that count are read: the same as of all', format => {
  const more = fc.array(fc.constantFrom(...NAMES))
  fc.assert(
    fc.property(changes, more, fc.nat(3), (cells, names, cut) => {
      const file = sellerFile(format, 24)
      const bytes = new TextEncoder().encode(file.text(...spoiled(file, cells, names, cut)))
      const text = trimLeadingLines(decodeText(bytes).text)
      const { delimiter = ',' }: Format = SELLER_FILES[format]
      const all = format === 'amazon' ? parseTabbedRows(text) : parseQuotedRows(text, delimiter)
      expect(importFile(bytes, file.fileName, CONTEXT)).toEqual({
        ...importSheet('rows' in all ? all.rows : [], { fileName: file.fileName }, CONTEXT),
        encoding: 'utf-8',
      })
    }),
    { numRuns: 25 },
  )
})

/** Walmart's rows keep the columns of the sheet for its confirmation. */
const withoutExtra = ({ items, ...row }: GridRow) => ({
  ...row,
  ...(items && { items: items.map(({ extra: _extra, ...item }) => item) }),
})
