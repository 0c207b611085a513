import { expect, test } from 'vitest'
import { emptyRow } from '#contract/rows.ts'
import { applyPaste, parseClipboard } from './paste.ts'

test('copied spreadsheet cells are read as lines of cells', () => {
  expect(parseClipboard('a\tb\r\nc\t\r\n')).toEqual([
    ['a', 'b'],
    ['c', ''],
  ])
  expect(parseClipboard('04101')).toEqual([['04101']])
  expect(parseClipboard('')).toEqual([])
  expect(parseClipboard('\t')).toEqual([['', '']])
  expect(parseClipboard('a\n\nb')).toEqual([['a'], [''], ['b']])
})

test('quotes count only when they close a cell', () => {
  expect(parseClipboard('"two\nlines"\t"say ""hi"""\tend')).toEqual([
    ['two\nlines', 'say "hi"', 'end'],
  ])
  expect(parseClipboard('"XL" ruler\t5"\n"open\tnext')).toEqual([
    ['"XL" ruler', '5"'],
    ['"open', 'next'],
  ])
})

const COLUMNS = ['ToCity', 'ToStateProvince', 'quantity'] as const
const rows = ['a', 'b', 'c'].map(orderId => ({ ...emptyRow(), orderId }))

test('a paste fills cells to the right and below, and counts the ones that do not fit', () => {
  const pasted = applyPaste(
    rows,
    { row: 1, column: 1 },
    [['ME', '2', 'over'], ['OR', '1'], ['below']],
    COLUMNS,
  )
  expect(
    pasted.rows.map(row => [row.ToStateProvince, row.quantity, row.PackageReference1]),
  ).toEqual([
    ['', '1', ''],
    ['ME', '2', '2'],
    ['OR', '1', ''],
  ])
  expect([pasted.changedIndexes, pasted.ignoredCells]).toEqual([[1, 2], 2])
  expect(pasted.rows[0]).toBe(rows[0])
})

test('pasting the same values changes nothing', () => {
  const pasted = applyPaste(rows, { row: 0, column: 2 }, [[' 1 ']], COLUMNS)
  expect(pasted.changedIndexes).toEqual([])
  expect(pasted.rows[0]).toBe(rows[0])
})
