import fc from 'fast-check'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { csvCell, csvLine, readCsvCell } from './csv.ts'

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '\0=1',
  '＝1',
  '＋1',
  '－1',
  '＠a',
])('a spreadsheet does not evaluate %j', text => {
  const { data } = Papa.parse<string[]>(csvCell(text), { delimiter: ',', newline: '\r\n' })
  expect(data).toEqual([[`'${text}`]])
})

test('every sign that stands for = + - @ in some width or size is defused', () => {
  // U+2212, the minus sign, is what a minus of another size or height stands for.
  const signs = Array.from({ length: 0x11_0000 }, (_, code) => code)
    .filter(code => code < 0xd800 || code > 0xdfff)
    .map(code => String.fromCodePoint(code))
    .filter(sign => /^[=+\-@\u2212]/.test(sign.normalize('NFKC')))
  expect(signs).toContain('\ufe66')
  for (const sign of signs) expect(csvCell(`${sign}1`)).toBe(`'${sign}1`)
})

test('a cell is read back as it was written', () => {
  const cell = fc.oneof(
    fc.string(),
    fc.string({
      unit: fc.constantFrom("'", '=', '"', '\ufe66', '-', '\u2212', '@', 'a', ',', '\t'),
    }),
  )
  fc.assert(
    fc.property(cell, text => {
      const parsed = Papa.parse<string[]>(csvCell(text), { delimiter: ',', newline: '\r\n' })
      expect(readCsvCell(parsed.data[0]?.[0] ?? '')).toBe(text)
    }),
  )
  expect(readCsvCell('="04101"')).toBe('04101')
})

test("a formula behind another locale's separator stays inside its cell", () => {
  expect(csvCell('a;=1+1')).toBe('"a;=1+1"')
  expect(csvCell('a\t=1+1')).toBe('"a\t=1+1"')
})

test('null is an empty cell', () => {
  expect(csvLine(['1', null, 'a "b", c', undefined])).toBe('1,,"a ""b"", c",\r\n')
})
