import { expect, test } from 'vitest'
import { clampPage, pageMarks, pagesOf } from './paging.ts'

test('seven pages are shown without an ellipsis', () => {
  expect(pageMarks(7, 4)).toEqual([1, 2, 3, 4, 5, 6, 7])
})

test.each([
  [1, [1, 2, 3, 4, 5, 'gap-after', 8]],
  [4, [1, 2, 3, 4, 5, 'gap-after', 8]],
  [5, [1, 'gap-before', 4, 5, 6, 7, 8]],
  [8, [1, 'gap-before', 4, 5, 6, 7, 8]],
])('eight pages have one ellipsis on page %i', (current, marks) => {
  expect(pageMarks(8, current)).toEqual(marks)
})

test('in the middle of many pages there is an ellipsis on both sides', () => {
  expect(pageMarks(40, 20)).toEqual([1, 'gap-before', 19, 20, 21, 'gap-after', 40])
})

test('the current page is always among the marks, and there are never more than seven', () => {
  for (let pages = 1; pages <= 30; pages++) {
    for (let current = 1; current <= pages; current++) {
      const marks = pageMarks(pages, current)
      expect(marks).toContain(current)
      expect(marks.length).toBeLessThanOrEqual(7)
    }
  }
})

test('an empty list has one page', () => {
  expect(pagesOf(0, 7)).toBe(1)
  expect(pagesOf(8, 7)).toBe(2)
})

test('a remembered page past the end becomes the last one', () => {
  expect(clampPage(9, 3)).toBe(3)
  expect(clampPage(Number('x'), 3)).toBe(1)
})
