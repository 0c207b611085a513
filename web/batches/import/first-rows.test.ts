import { writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { sellerFile } from '#tests/support/seller-files.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { readFile } from './read-file.ts'

const SENDER = { name: 'Fir', street: '1 Dock St', city: 'Portland', state: 'ME', zip: '04101' }

async function firstRowsOf(file: File): Promise<{ first: GridRow[]; all: GridRow[] }> {
  let first: GridRow[] = []
  const context = { senderAddress: SENDER, skus: [], maxRows: 50_000 }
  const answer = await readFile(file, context, { onFirstRows: rows => (first = rows) })
  if (!('rows' in answer)) throw new Error(JSON.stringify(answer))
  return { first, all: answer.rows }
}

const shown = (rows: readonly GridRow[]) =>
  rows.map(row => [row.line, row.ToRecipientName, row.ToStreet1, row.ToZipPostal])

test('a large file begins with the rows that it has in the end', async () => {
  const { fileName, header, records, text } = sellerFile('template', 4000)
  const { first, all } = await firstRowsOf(new File([text(header, records)], fileName))
  expect(first).toHaveLength(60)
  expect(shown(first)).toEqual(shown(all.slice(0, 60)))
})

test('a file that ends inside a quoted cell at the cut begins with fewer lines', async () => {
  const { fileName, header, records, text } = sellerFile('template', 4000)
  const street = header.indexOf('TO ADDRESS 2')
  const broken = records.map(cells => cells.with(street, `c/o "Ann"\n${'x'.repeat(90)}\nFloor 2`))
  const { first, all } = await firstRowsOf(new File([text(header, broken)], fileName))
  expect(first.length).toBeGreaterThan(10)
  expect(shown(first)).toEqual(shown(all.slice(0, first.length)))
})

test('a large workbook begins with the rows of its first visible sheet', async () => {
  const { header, records } = sellerFile('template', 900)
  const notes = 'as written '.repeat(1000)
  const bytes = await writeXlsx({
    sheets: [
      { name: 'Old', hidden: true, rows: [['nothing', 'to', 'see', 'here']] },
      {
        name: 'Orders',
        rows: [
          ['My orders'],
          [...header, 'NOTES'],
          ...records.map((cells, at) => [...cells, `${at} ${notes}`]),
        ],
      },
    ],
  })
  const { first, all } = await firstRowsOf(
    new File([bytes as Uint8Array<ArrayBuffer>], 'orders.xlsx'),
  )
  expect(first).toHaveLength(60)
  expect(shown(first)).toEqual(shown(all.slice(0, 60)))
})

test('a small file has no first rows of its own', async () => {
  const { fileName, header, records, text } = sellerFile('shopify', 50)
  expect((await firstRowsOf(new File([text(header, records)], fileName))).first).toEqual([])
})
