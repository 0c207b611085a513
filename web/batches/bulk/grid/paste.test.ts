import { expect, test } from 'vitest'
import { emptyRow } from '#contract/rows.ts'
import { applyPaste, columnsFrom, isBlock, parseClipboard, tileCells } from './paste.ts'

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

test('a size is pasted from one column or from three', () => {
  const parcel = ['PackageWeight', 'size', 'ServiceName'] as const
  const sides = (cells: string[][]) =>
    applyPaste(rows.slice(0, 1), { row: 0, column: 0 }, cells, parcel).rows.map(row => [
      row.PackageWeight,
      row.PackageLength,
      row.PackageWidth,
      row.PackageHeight,
      row.ServiceName,
    ])
  expect(sides([['0.5', '10 x 8 x 2', 'Ground']])).toEqual([['0.5', '10', '8', '2', 'Ground']])
  expect(sides([['0.5', '10', '8', '2', 'Ground']])).toEqual([['0.5', '10', '8', '2', 'Ground']])
  expect(sides([['8 oz', '', 'Ground']])).toEqual([['0.5', '', '', '', 'Ground']])
})

test('a copied price has no place to go and is left out silently', () => {
  const pasted = applyPaste(
    rows,
    { row: 0, column: 0 },
    [['Bend', '$6.50', 'MUG']],
    ['ToCity', 'price', 'skuNumber'],
  )
  expect(pasted.rows[0]).toMatchObject({ ToCity: 'Bend', skuNumber: 'MUG' })
  expect([pasted.changedCells, pasted.ignoredCells]).toEqual([2, 0])
})

test('in a filtered table, cells go to the shown rows in their order', () => {
  const pasted = applyPaste(rows, { row: 0, column: 0 }, [['x'], ['y'], ['z']], ['ToCity'], [2, 0])
  expect(pasted.rows.map(row => row.ToCity)).toEqual(['y', '', 'x'])
  expect(pasted.ignoredCells).toBe(1)
})

test('a few copied cells fill a larger range that they fit in', () => {
  expect(tileCells([['a']], 2, 2)).toEqual([
    ['a', 'a'],
    ['a', 'a'],
  ])
  expect(tileCells([['a', 'b']], 2, 2)).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ])
  const three = [['a'], ['b'], ['c']]
  expect(tileCells(three, 2, 1)).toBe(three)
  expect(tileCells([['a', 'b'], ['c']], 4, 4)).toEqual([['a', 'b'], ['c']])
  expect(tileCells([], 1, 1)).toEqual([])
})

test('cells pasted into a field of a card fill its next fields and the cards below', () => {
  const fields = [
    'ToCity',
    'PackageWeight',
    'PackageLength',
    'PackageWidth',
    'PackageHeight',
  ] as const
  const filled = (text: string, first: (typeof fields)[number]) =>
    applyPaste(
      rows.slice(0, 2),
      { row: 0, column: 0 },
      parseClipboard(text),
      columnsFrom(fields, first),
    ).rows.map(row => fields.map(name => row[name]))
  expect(filled('Bend\t2\t9 x 6 x 3\nReno\t1\t8x5x2', 'ToCity')).toEqual([
    ['Bend', '2', '9', '6', '3'],
    ['Reno', '1', '8', '5', '2'],
  ])
  expect(filled('2\t9\t6\t3', 'PackageWeight')[0]).toEqual(['', '2', '9', '6', '3'])
  expect(filled('6\t3', 'PackageWidth')[0]).toEqual(['', '', '', '6', '3'])
})

test('an address of several lines is no block of cells, a column of a spreadsheet is', () => {
  expect(isBlock('Ana Vance\n9 Oak St\nPortland ME', '')).toBe(false)
  expect(isBlock('93701\n93702', '<table><tr><td>93701</td></tr></table>')).toBe(true)
  expect(isBlock('Ana\t9 Oak St', '')).toBe(true)
  expect(isBlock('93701\n', '<table><tr><td>93701</td></tr></table>')).toBe(false)
})
