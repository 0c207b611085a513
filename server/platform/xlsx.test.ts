import { inflateRawSync } from 'node:zlib'
import { readXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { writeWorkbook } from './xlsx.ts'
import type { SheetCell } from './xlsx.ts'

const COLUMNS = [{ header: 'Name' }, { header: 'Tracking' }, { header: 'Price', decimals: 2 }]

async function* pagesOf(...pages: SheetCell[][][]) {
  yield* pages
}
async function written(pages: AsyncIterable<SheetCell[][]>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  const sink = { write: (chunk: Uint8Array) => void chunks.push(chunk) }
  await writeWorkbook(sink, { name: 'Results', columns: COLUMNS }, pages)
  return Buffer.concat(chunks)
}

test('texts that look like numbers, dates or formulas stay texts, and prices are numbers', async () => {
  const rows: SheetCell[][] = [
    ['=1+1', '9800100000000000000017', 6.5],
    ['04101', '+1 404-555-0192', 1234.56],
    [' José "Pepe" <&> \r\n_x0041_ \u0001 😀 ', '12-11', null],
    ['@SUM(A1)', '577384719283746000', -9.5],
  ]
  const book = await readXlsx(await written(pagesOf(rows.slice(0, 1), [], rows.slice(1))))
  expect(book.sheets.map(({ name }) => name)).toEqual(['Results'])
  expect(book.sheets[0]!.rows).toEqual([COLUMNS.map(({ header }) => header), ...rows])
})

test('a character that XML does not have leaves the workbook readable, and is read again', async () => {
  const name = 'Ana \ufffe\uffff Lee'
  const bytes = await written(pagesOf([[name, '', 1]]))
  // The sheet is the first part of the file: its bytes follow a head of 30 and its name.
  const sheet = inflateRawSync(bytes.subarray(30 + bytes.readUInt16LE(26))).toString()
  expect(sheet).toContain('</worksheet>')
  expect(sheet).not.toMatch(/[\ufffe\uffff]/)
  expect((await readXlsx(bytes)).sheets[0]!.rows[1]![0]).toBe(name)
})

test('a workbook without rows has its header', async () => {
  const book = await readXlsx(await written(pagesOf()))
  expect(book.sheets[0]!.rows).toEqual([['Name', 'Tracking', 'Price']])
})

test('other requests run while a long workbook is written', async () => {
  const page = Array.from({ length: 200 }, (_, n): SheetCell[] => [`row ${n}`, '', n])
  async function* pages() {
    for (let n = 0; n < 10; n++) yield page
  }
  let turns = 0
  let isDone = false
  const others = (async () => {
    while (!isDone) {
      await new Promise(resolve => setImmediate(resolve))
      turns += 1
    }
  })()
  const book = await readXlsx(await written(pages()))
  isDone = true
  await others
  expect(book.sheets[0]!.rows).toHaveLength(2_001)
  expect(turns).toBeGreaterThan(40)
})

test('a failed read or a reader that is gone ends the writing with its error', async () => {
  async function* failing(): AsyncGenerator<SheetCell[][]> {
    yield [['a', 'b', 1]]
    throw new Error('no database')
  }
  await expect(written(failing())).rejects.toThrow('no database')

  let ended = false
  async function* endless(): AsyncGenerator<SheetCell[][]> {
    try {
      for (;;) yield [[crypto.randomUUID(), crypto.randomUUID(), 1]]
    } finally {
      ended = true
    }
  }
  const gone = () => {
    throw new Error('the reader is gone')
  }
  const sheet = { name: 'Results', columns: COLUMNS }
  await expect(writeWorkbook({ write: gone }, sheet, endless())).rejects.toThrow(
    'the reader is gone',
  )
  await expect.poll(() => ended).toBe(true)
})
