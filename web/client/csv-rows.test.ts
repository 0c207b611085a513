import { expect, test } from 'vitest'
import { readCsvRows } from './csv-rows.ts'

const read = (text: string) => readCsvRows(new TextEncoder().encode(text))

test('a file that names its separator in the first line begins with the header', () => {
  expect(read('sep=;\r\nTracking;Amount\r\n9400;1,50\r\n')).toEqual({
    rows: [
      ['Tracking', 'Amount'],
      ['9400', '1,50'],
    ],
    notices: [],
  })
})

test('blank lines above the header count as rows', () => {
  expect(read('\nTracking,Amount\n')).toMatchObject({ rows: [[''], ['Tracking', 'Amount']] })
})
