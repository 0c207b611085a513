import { expect, test } from 'vitest'
import { dayTicks, weekdayText } from './days.ts'

test('a day reads as everywhere else in the product, in any time zone', () => {
  expect(weekdayText('2026-11-20')).toBe('Fri 20-11-2026')
})

test('an axis names the first and the last day, and few between', () => {
  const days = Array.from({ length: 30 }, (_, day) => `2026-11-${String(day + 1).padStart(2, '0')}`)
  expect(dayTicks(days, 4)).toEqual(['2026-11-01', '2026-11-11', '2026-11-20', '2026-11-30'])
  expect(dayTicks(days.slice(0, 2), 4)).toEqual(['2026-11-01', '2026-11-02'])
  expect(dayTicks(['2026-11-01'], 4)).toEqual(['2026-11-01'])
})
