import { expect, test } from 'vitest'
import { cellAfterKey } from './grid-keys.ts'

const from = { row: 5, column: 3 }
const press = (key: string, ctrl = false, start = from) =>
  cellAfterKey(start, { key, ctrl }, 10, 8, 4)

test('arrows go one cell, with Ctrl to the edge', () => {
  expect(press('ArrowDown')).toEqual({ row: 6, column: 3 })
  expect(press('ArrowUp', true)).toEqual({ row: 0, column: 3 })
  expect(press('ArrowRight')).toEqual({ row: 5, column: 4 })
  expect(press('ArrowLeft', true)).toEqual({ row: 5, column: 0 })
})

test('Home and End go to the ends of the row, with Ctrl to those of the table', () => {
  expect(press('Home')).toEqual({ row: 5, column: 0 })
  expect(press('End')).toEqual({ row: 5, column: 7 })
  expect(press('End', true)).toEqual({ row: 9, column: 7 })
})

test('Page Up and Page Down stay inside the table', () => {
  expect(press('PageDown')).toEqual({ row: 9, column: 3 })
  expect(press('PageUp')).toEqual({ row: 1, column: 3 })
  expect(press('PageUp', false, { row: 1, column: 0 })).toEqual({ row: 0, column: 0 })
})

test('other keys do not move', () => {
  expect(press('a')).toBeNull()
  expect(press('Enter')).toBeNull()
})
