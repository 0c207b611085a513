import { expect, test } from 'vitest'
import { fromFirstUsed, weekStarts } from './week-starts.ts'

test('the last week ends on the day, the others before it', () => {
  expect(weekStarts(3, '2026-11-28')).toEqual(['2026-11-08', '2026-11-15', '2026-11-22'])
})

test('a chart begins with the first week that has sign-ups, and has a few weeks at least', () => {
  const weeks = Array.from({ length: 26 }, () => 0)
  expect(fromFirstUsed(weeks.with(12, 6).with(25, 3))).toHaveLength(14)
  expect(fromFirstUsed(weeks.with(25, 3))).toHaveLength(8)
  expect(fromFirstUsed(weeks.with(0, 1))).toHaveLength(26)
})
