import { expect, test } from 'vitest'
import { clampPage, pagesOf } from './paging.ts'

test('an empty list has one page', () => {
  expect(pagesOf(0, 7)).toBe(1)
  expect(pagesOf(7, 7)).toBe(1)
  expect(pagesOf(8, 7)).toBe(2)
})

test('a remembered page past the end becomes the last one', () => {
  expect(clampPage(9, 3)).toBe(3)
  expect(clampPage(0, 3)).toBe(1)
  expect(clampPage(Number('x'), 3)).toBe(1)
})
