import { expect, test } from 'vitest'
import { foldedLines } from './folded-lines.ts'

test('code is folded when the button hides more than it costs', () => {
  const lines = (count: number) => Array.from({ length: count }, () => '{}').join('\n')
  expect(foldedLines(lines(1))).toBe(null)
  expect(foldedLines(lines(10))).toBe(null)
  expect(foldedLines(lines(11))).toBe(11)
  expect(foldedLines(lines(62))).toBe(62)
})
