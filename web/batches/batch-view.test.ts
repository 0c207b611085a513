import { expect, test } from 'vitest'
import { batchDateText } from './batch-view.ts'

test('a bulk order is dated month, day, year and time, or by a dash', () => {
  expect(batchDateText(new Date(2026, 10, 3, 15, 7, 59))).toBe('Nov 3, 2026 | 15:07')
  expect(batchDateText('')).toBe('–')
})
