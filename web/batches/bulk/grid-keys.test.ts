import { expect, test } from 'vitest'
import { cellAfterKey } from './grid-keys.ts'

const from = { row: 5, column: 3 }
const go = (key: string, ctrl = false, start = from) => cellAfterKey(start, { key, ctrl }, 10, 8, 4)

test('arrows go one cell, with Ctrl to the edge', () => {
  expect(go('ArrowDown')).toEqual({ row: 6, column: 3 })
  expect(go('ArrowUp', true)).toEqual({ row: 0, column: 3 })
  expect(go('ArrowRight')).toEqual({ row: 5, column: 4 })
  expect(go('ArrowLeft', true)).toEqual({ row: 5, column: 0 })
})

test('Home and End go to the ends of the row, with Ctrl to those of the table', () => {
  expect(go('Home')).toEqual({ row: 5, column: 0 })
  expect(go('End')).toEqual({ row: 5, column: 7 })
  expect(go('End', true)).toEqual({ row: 9, column: 7 })
})

test('Page Up and Page Down stay inside the table', () => {
  expect(go('PageDown')).toEqual({ row: 9, column: 3 })
  expect(go('PageUp')).toEqual({ row: 1, column: 3 })
  expect(go('PageUp', false, { row: 1, column: 0 })).toEqual({ row: 0, column: 0 })
})

test('other keys do not move', () => {
  expect(go('a')).toBeNull()
  expect(go('Enter')).toBeNull()
})
