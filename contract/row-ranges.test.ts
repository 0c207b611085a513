import { describe, expect, test } from 'vitest'
import { parseRowList, rowCount, rowListText } from './row-ranges.ts'

/** What a list means in a bulk order of 300 rows: the shortest list, or what is wrong. */
const read = (text: string, total = 300): string => {
  const list = parseRowList(text, total)
  return 'problem' in list ? list.problem : rowListText(list.rows)
}

test('rows are named one by one and from one to another', () => {
  expect(parseRowList('3-7, 12', 300)).toEqual({
    rows: [
      [3, 7],
      [12, 12],
    ],
  })
  expect(read('5')).toBe('5')
  expect(read('1-300')).toBe('1-300')
})

test('labels come in the order of the table, each once, however the list is written', () => {
  expect(read('12, 3-7')).toBe('3-7,12')
  expect(read('5,5,5')).toBe('5')
  expect(read('3-7, 5-9, 10')).toBe('3-10')
  expect(read('1-100, 20-30')).toBe('1-100')
  expect(read('8-8')).toBe('8')
})

test('a list is read as people type it', () => {
  expect(read('  3 - 7 ,12 , ')).toBe('3-7,12')
  expect(read('3–7; 12')).toBe('3-7,12')
  expect(read('3−7\n12\n')).toBe('3-7,12')
  expect(read('007')).toBe('7')
})

describe('what is wrong with a list is told, with what to write instead', () => {
  test.each([
    ['', 'No rows are named. Write rows like 3-7, 12.'],
    [' , ,', 'No rows are named. Write rows like 3-7, 12.'],
    ['3-7, twelve', '“twelve” is no row and no range. Write rows like 3-7, 12.'],
    ['3 7', '“3 7” is no row and no range. Write rows like 3-7, 12.'],
    ['3-', '“3-” is no row and no range. Write rows like 3-7, 12.'],
    ['-3', '“-3” is no row and no range. Write rows like 3-7, 12.'],
    ['1.5', '“1.5” is no row and no range. Write rows like 3-7, 12.'],
    ['1e2', '“1e2” is no row and no range. Write rows like 3-7, 12.'],
    ['7-3', '“7-3” runs backwards. Write 3-7.'],
    ['0', '“0”: there is no row 0. Rows go from 1 to 300.'],
    ['12, 290-301', '“290-301”: there is no row 301. Rows go from 1 to 300.'],
    [
      '<script>alert(1)</script>',
      '“<script>alert(1)</sc…” is no row and no range. Write rows like 3-7, 12.',
    ],
  ])('%j', (text, problem) => expect(read(text)).toBe(problem))

  test('a bulk order of one label', () =>
    expect(read('2', 1)).toBe('“2”: there is no row 2. This bulk order has row 1 only.'))
  test('of thousands', () =>
    expect(read('12001', 12_000)).toBe('“12001”: there is no row 12001. Rows go from 1 to 12,000.'))
})

test('a number beyond all reason is short in the answer', () => {
  const nines = `${'9'.repeat(20)}…`
  expect(read('9'.repeat(400))).toBe(`“${nines}”: there is no row ${nines}. Rows go from 1 to 300.`)
})

test('the rows of a list are counted', () => {
  expect(
    rowCount([
      [3, 7],
      [12, 12],
    ]),
  ).toBe(6)
  expect(rowCount([])).toBe(0)
})
