import { expect, test } from 'vitest'
import { dayTicks, spansOf, weekdayText } from './days.ts'

test('a day reads as everywhere else in the product, in any time zone', () => {
  expect(weekdayText('2026-11-20')).toBe('Fri 20-11-2026')
})

test('an axis names the first and the last day, and few between', () => {
  const days = Array.from({ length: 30 }, (_, day) => `2026-11-${String(day + 1).padStart(2, '0')}`)
  expect(dayTicks(days, 4)).toEqual(['2026-11-01', '2026-11-11', '2026-11-20', '2026-11-30'])
  expect(dayTicks(days.slice(0, 2), 4)).toEqual(['2026-11-01', '2026-11-02'])
  expect(dayTicks(['2026-11-01'], 4)).toEqual(['2026-11-01'])
})

test('a line is drawn over neighboring days with sales, and a day alone is a dot', () => {
  expect(spansOf([false, true, true, false, true])).toEqual([
    { from: 1, to: 2 },
    { from: 4, to: 4 },
  ])
  expect(spansOf([false, false])).toEqual([])
})
