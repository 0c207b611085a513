import { expect, test } from 'vitest'
import {
  cellsIn,
  extendTo,
  isInRange,
  isRowSelected,
  selectCell,
  selectedRange,
  selectedRows,
  selectRow,
} from './selection.ts'

const at = (row: number, column: number) => ({ row, column })

test('a range reaches from its first cell to its last in any direction', () => {
  const range = selectedRange(extendTo(selectCell(at(5, 3)), at(2, 6)), 1, 10)
  expect(range).toEqual({ top: 2, bottom: 5, left: 3, right: 6 })
  expect(cellsIn(range)).toBe(16)
  expect([isInRange(at(4, 3), range), isInRange(at(4, 7), range)]).toEqual([true, false])
})

test('a range holds cells only, not the number or the buttons of a row', () => {
  expect(selectedRange(extendTo(selectCell(at(0, 0)), at(0, 12)), 1, 10)).toMatchObject({
    left: 1,
    right: 10,
  })
})

test('rows are chosen by their numbers, with Shift up to another, with Ctrl beside others', () => {
  const first = extendTo(selectRow(at(1, 0), null, false), at(3, 0))
  const both = selectRow(at(7, 0), first, true)
  expect(selectedRows(both)).toEqual([1, 2, 3, 7])
  expect([2, 5, 7].map(row => isRowSelected(both, row))).toEqual([true, false, true])
  expect(selectedRange(first, 1, 10)).toEqual({ top: 1, bottom: 3, left: 1, right: 10 })
  expect(selectedRows(selectRow(at(9, 0), both, false))).toEqual([9])
})

test('a row that is chosen twice counts once', () => {
  const again = extendTo(selectRow(at(2, 0), selectRow(at(1, 0), null, false), true), at(0, 0))
  expect(selectedRows(again)).toEqual([0, 1, 2])
})
