import { describe, expect, test } from 'vitest'
import { parseRowList, rowCount, rowListText } from './row-ranges.ts'

/** The parsed list in its shortest form, or the problem. */
const read = (text: string, total = 300): string => {
  const list = parseRowList(text, total)
  return 'problem' in list ? list.problem : rowListText(list.rows)
}

test('single rows and ranges are accepted', () => {
  expect(parseRowList('3-7, 12', 300)).toEqual({
    rows: [
      [3, 7],
      [12, 12],
    ],
  })
  expect(read('5')).toBe('5')
  expect(read('1-300')).toBe('1-300')
})

test('rows are sorted and listed once', () => {
  expect(read('12, 3-7')).toBe('3-7,12')
  expect(read('5,5,5')).toBe('5')
  expect(read('3-7, 5-9, 10')).toBe('3-10')
  expect(read('1-100, 20-30')).toBe('1-100')
  expect(read('8-8')).toBe('8')
})

test('spaces, dashes, semicolons and line breaks are accepted', () => {
  expect(read('  3 - 7 ,12 , ')).toBe('3-7,12')
  expect(read('3–7; 12')).toBe('3-7,12')
  expect(read('3−7\n12\n')).toBe('3-7,12')
  expect(read('007')).toBe('7')
})

describe('an invalid list is refused with the remedy', () => {
  test.each([
    ['', 'No rows entered. Enter rows like 3-7, 12.'],
    [' , ,', 'No rows entered. Enter rows like 3-7, 12.'],
    ['3-7, twelve', '“twelve” is not a row or a range. Enter rows like 3-7, 12.'],
    ['3 7', '“3 7” is not a row or a range. Enter rows like 3-7, 12.'],
    ['3-', '“3-” is not a row or a range. Enter rows like 3-7, 12.'],
    ['-3', '“-3” is not a row or a range. Enter rows like 3-7, 12.'],
    ['1.5', '“1.5” is not a row or a range. Enter rows like 3-7, 12.'],
    ['1e2', '“1e2” is not a row or a range. Enter rows like 3-7, 12.'],
    ['7-3', '“7-3” is backwards. Enter 3-7.'],
    ['0', '“0”: row 0 does not exist. This bulk order has rows 1 to 300.'],
    ['12, 290-301', '“290-301”: row 301 does not exist. This bulk order has rows 1 to 300.'],
    [
      '<script>alert(1)</script>',
      '“<script>alert(1)</sc…” is not a row or a range. Enter rows like 3-7, 12.',
    ],
  ])('%j', (text, problem) => expect(read(text)).toBe(problem))

  test('a bulk order of one label', () =>
    expect(read('2', 1)).toBe('“2”: row 2 does not exist. This bulk order has only row 1.'))
  test('a bulk order of thousands', () =>
    expect(read('12001', 12_000)).toBe(
      '“12001”: row 12001 does not exist. This bulk order has rows 1 to 12,000.',
    ))
})

test('a very long number is shortened in the error', () => {
  const nines = `${'9'.repeat(20)}…`
  expect(read('9'.repeat(400))).toBe(
    `“${nines}”: row ${nines} does not exist. This bulk order has rows 1 to 300.`,
  )
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
