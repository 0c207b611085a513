import { expect, test } from 'vitest'
import { weekStarts } from './week-starts.ts'

test('the last week ends on the day, the others before it', () => {
  expect(weekStarts(3, '2026-11-28')).toEqual(['2026-11-08', '2026-11-15', '2026-11-22'])
})
