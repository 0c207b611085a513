import fc from 'fast-check'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { decodeText } from './decode-text.ts'
import { DELIMITERS, parseQuotedRows } from './delimited-text.ts'
import { neededCells, splitRows } from './split-rows.ts'

const delimiter = fc.constantFrom(...DELIMITERS)
/** Pieces of which hostile files are made. */
const PIECES = ['""', '" ', ' "', '"\r\n', '",', '\r\n\r\n', '\r\n', 'Ana Lee', '004', "'1"].concat(
  [...'"\t,;|\n\r\0\ufeff \u00a0\u2028aé木🚚'],
)
const hostileText = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 60 })
  .map(pieces => pieces.join(''))

const isFilled = (row: readonly string[]) => row.some(cell => cell.trim() !== '')
/** Papaparse after the steps that were always made before it. */
function papaRows(text: string, mark: string): { rows: string[][]; isClean: boolean } {
  const lines = text.includes('\n')
    ? text.replaceAll('\r\n', '\n').replaceAll('\r', ' ')
    : text.replaceAll('\r', '\n')
  const { data, errors } = Papa.parse<string[]>(lines, { delimiter: mark, newline: '\n' })
  return { rows: data.filter(isFilled), isClean: errors.length === 0 }
}

test('text that is split has the cells that papaparse reads, for any quotes and line ends', () => {
  let split = 0
  fc.assert(
    fc.property(hostileText, delimiter, (text, mark) => {
      const rows = splitRows(text, mark)?.rows
      if (!rows) return
      split += 1
      expect({ rows, isClean: true }).toEqual(papaRows(text, mark))
    }),
    { numRuns: 3000 },
  )
  expect(split).toBeGreaterThan(500)
})

const cell = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('', '', ' ', 'ME', '04101', '9 Oak St') },
  fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map(pieces => pieces.join('')),
)
const ragged = fc.array(fc.array(cell, { minLength: 1, maxLength: 8 }), { maxLength: 14 })
const lineEnd = fc.constantFrom('\n', '\r\n')

/** Quotes as every writer puts them; `always`: around each cell. */
const fileOf = (rows: readonly string[][], mark: string, end: string, always: boolean) =>
  rows
    .map(row =>
      row
        .map(text =>
          always || /["\r\n,;|\t\ufeff]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text,
        )
        .join(mark),
    )
    .join(end)

test('well-formed files of ragged rows are split without papaparse, each cell as it was written', () => {
  fc.assert(
    fc.property(ragged, delimiter, lineEnd, fc.boolean(), (given, mark, end, always) => {
      const rows = given.map(row => row.map(text => text.replace(/\r(?!\n)/g, '').trim()))
      const expected = rows.map(row => row.map(text => text.replaceAll('\r\n', '\n')))
      expect(splitRows(fileOf(rows, mark, end, always), mark)?.rows).toEqual(
        expected.filter(isFilled),
      )
    }),
    { numRuns: 1000 },
  )
})

test('of columns that are not needed only the top rows and the cells beyond the header are read', () => {
  const isNeeded = fc.array(fc.boolean(), { maxLength: 6 })
  fc.assert(
    fc.property(hostileText, delimiter, isNeeded, fc.nat(4), (text, mark, needed, topRows) => {
      const all = splitRows(text, mark)?.rows
      const seen: string[][][] = []
      const columns = (top: readonly string[][]) => {
        seen.push(structuredClone([...top]))
        return needed
      }
      const expected = all?.map((row, at) => (at < topRows ? row : neededCells(row, needed)))
      const split = splitRows(text, mark, { topRows, columns })
      expect(split?.rows).toEqual(expected)
      expect(split?.needed ?? null).toEqual(split && seen.length > 0 ? needed : null)
      for (const top of seen) expect(top).toEqual(all?.slice(0, topRows) ?? top)
      expect(seen.length).toBeLessThanOrEqual(1)
    }),
    { numRuns: 2000 },
  )
})

test('any bytes are read alike with and without the quick way', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), delimiter, (bytes, mark) => {
      const { text } = decodeText(bytes)
      const before = papaRows(text, mark).rows
      expect(splitRows(text, mark)?.rows ?? before).toEqual(before)
    }),
    { numRuns: 1000 },
  )
})

test('a misplaced quote is read as before, with its line named', () => {
  expect(splitRows('a,b\n"Ana "Lee",1', ',')).toBeNull()
  expect(parseQuotedRows('a,b\n"Ana "Lee",1', ',')).toMatchObject({
    rows: [['a', 'b'], expect.arrayContaining(['1'])],
    notices: [expect.stringContaining('1')],
  })
  expect(parseQuotedRows('a,b\n"Ana,1', ',')).toHaveProperty('problem')
  expect(parseQuotedRows('a,b\r1,2\r', ',')).toEqual({
    rows: [
      ['a', 'b'],
      ['1', '2'],
    ],
    notices: [],
  })
})

test('a quote that makes a cell swallow the rows below is a problem of the file', () => {
  const header = '"Order","Item"\n"#1001","Cap"\n'
  const problem = { problem: expect.stringContaining('Row 2 has a quotation mark inside a cell') }
  expect(parseQuotedRows(`${header}"#1002","Poster 12""\n"#1003","Mug"\n`, ',')).toEqual(problem)
  expect(parseQuotedRows(`${header}#1002,"Poster 12""\n#1003,"Mug"\n`, ',')).toEqual(problem)
  expect(parseQuotedRows(`${header}"#1002","Poster 12"""\n"#1003","Mug"\n`, ',')).toMatchObject({
    notices: [],
  })
})

test('a misplaced quote beside a cell of two lines leaves the rows below as they are', () => {
  const header = 'Order,Note,Item\n'
  const row = '"#1002","note one\nnote two","Poster 12" big"\n'
  expect(parseQuotedRows(`${header}${row}"#1003","","Mug"\n`, ',')).toMatchObject({
    rows: [
      ['Order', 'Note', 'Item'],
      ['#1002', 'note one\nnote two', expect.stringContaining('Poster 12')],
      ['#1003', '', 'Mug'],
    ],
    notices: [expect.stringContaining('1')],
  })
})
