import { expect, test } from 'vitest'
import { foldedLines } from './folded-lines.ts'

test('short code is shown whole, long code is folded', () => {
  const lines = (count: number) => Array.from({ length: count }, () => '{}').join('\n')
  expect(foldedLines(lines(1))).toBe(null)
  expect(foldedLines(lines(24))).toBe(null)
  expect(foldedLines(lines(25))).toBe(25)
  expect(foldedLines(lines(62))).toBe(62)
})
