import { writeXlsx } from 'hucre/xlsx'
import type { CellValue } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { SELLER_FILES, sellerFile, SOURCE_OF } from '#tests/support/seller-files.ts'
import type { SellerFile, SellerFormat } from '#tests/support/seller-files.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { readFile } from './read-file.ts'
import type { FileResult } from './read-file.ts'

const FORMATS = Object.keys(SELLER_FILES) as SellerFormat[]
const SENDER = { name: 'Fir', street: '1 Dock St', city: 'Portland', state: 'ME', zip: '04101' }

async function read(file: File): Promise<FileResult> {
  const answer = await readFile(file, { senderAddress: SENDER, skus: [], maxRows: 1000 })
  if (!('source' in answer)) throw new Error(JSON.stringify(answer).slice(0, 500))
  return answer
}
const readText = ({ fileName, header, records, text }: SellerFile) =>
  read(new File([text(header, records)], fileName))

async function readWorkbook(
  { header, records }: SellerFile,
  above: string[][] = [],
  cellOf: (cell: string, column: string) => CellValue = cell => cell,
): Promise<FileResult> {
  const cells = records.map(record => record.map((cell, at) => cellOf(cell, header[at]!)))
  const rows = [...above, header, ...cells]
  const bytes = await writeXlsx({ sheets: [{ name: 'Orders', rows }] })
  return read(new File([bytes as Uint8Array<ArrayBuffer>], 'orders.xlsx'))
}

/** What differs between two files of the same orders. */
const shared = ({
  sha256: _hash,
  encoding: _encoding,
  sheet: _sheet,
  sheets: _sheets,
  ...rest
}: FileResult) => rest

test.each(FORMATS)('the export %s saved as a workbook is read like its text file', async format => {
  const file = sellerFile(format, 60)
  const fromWorkbook = await readWorkbook(file)
  expect(fromWorkbook.source).toBe(SOURCE_OF[format])
  expect(fromWorkbook.rows.length).toBe(file.rows.length)
  expect(shared(fromWorkbook)).toEqual(shared(await readText(file)))
  const below = await readWorkbook(file, [['Orders of September 2026'], [], ['Exported today']])
  expect(shared(below)).toEqual(shared(fromWorkbook))
})

/** As programs type cells: figures as numbers, a ZIP so without its leading zeros; not SKUs. */
const typed = (cell: string, column: string): CellValue =>
  /^\d{1,15}(?:\.\d+)?$/.test(cell) && !/sku/i.test(column) ? Number(cell) : cell
/** Without the notice of a ZIP's zeros, and the columns that a confirmation repeats as they are. */
const comparable = (rows: readonly GridRow[]) =>
  rows.map(({ items, notices, ...row }) => ({
    ...row,
    notices: notices.filter(text => !/^Zip .* read as/.test(text)),
    items: items?.map(({ extra: _extra, ...item }) => item),
  }))

test.each(['advancedOrderExport', 'customerOrderExport', 'walmart', 'tiktok', 'etsy'] as const)(
  'the workbook of %s with figures as numbers gives the same rows',
  async format => {
    const file = sellerFile(format, 60)
    const fromText = await readText(file)
    const fromWorkbook = await readWorkbook(file, [], typed)
    expect(comparable(fromWorkbook.rows)).toEqual(comparable(fromText.rows))
    expect(fromWorkbook.leftOut).toEqual(fromText.leftOut)
  },
)
