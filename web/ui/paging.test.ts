import { expect, test } from 'vitest'
import { clampPage, pageCountFor, pageCountOrRequested, pageNumbersFor } from './paging.ts'

test('an empty list has one page', () => {
  expect(pageCountFor(0, 7)).toBe(1)
  expect(pageCountFor(7, 7)).toBe(1)
  expect(pageCountFor(8, 7)).toBe(2)
})

test('a page past the end becomes the last one', () => {
  expect(clampPage(9, 3)).toBe(3)
  expect(clampPage(0, 3)).toBe(1)
  expect(clampPage(Number('x'), 3)).toBe(1)
})

test('before the total is known, the page from the URL is requested, up to a limit', () => {
  expect(pageCountOrRequested(undefined, 7, 9)).toBe(9)
  for (const absurd of ['1e99', 'Infinity', '99999999999999999999'])
    expect(pageCountOrRequested(undefined, 7, Number(absurd))).toBe(1_000_000)
  for (const absurd of ['-1', 'x', '0.5', ''])
    expect(pageCountOrRequested(undefined, 7, Number(absurd))).toBe(1)
  expect(pageCountOrRequested(8, 7, 9)).toBe(2)
})

test('from eight pages on, some numbers are left out', () => {
  expect(pageNumbersFor(1, 0)).toEqual([])
  expect(pageNumbersFor(3, 7)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(pageNumbersFor(1, 8)).toEqual([1, 2, 3, 4, 5, 'gap', 8])
  expect(pageNumbersFor(4, 8)).toEqual([1, 2, 3, 4, 5, 'gap', 8])
  expect(pageNumbersFor(5, 10)).toEqual([1, 'gap', 4, 5, 6, 'gap', 10])
  expect(pageNumbersFor(7, 10)).toEqual([1, 'gap', 6, 7, 8, 9, 10])
  for (let page = 1; page <= 100; page++) expect(pageNumbersFor(page, 100)).toContain(page)
})
