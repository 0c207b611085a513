import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { csvCell, csvLine } from './csv.ts'

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

test("a formula behind another locale's separator stays inside its cell", () => {
  expect(csvCell('a;=1+1')).toBe('"a;=1+1"')
  expect(csvCell('a\t=1+1')).toBe('"a\t=1+1"')
})

test('null is an empty cell', () => {
  expect(csvLine(['1', null, 'a "b", c', undefined])).toBe('1,,"a ""b"", c",\r\n')
})
