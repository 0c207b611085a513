import { expect, test } from 'vitest'
import { monthsToChoose, nameOfMonth, shortNameOfMonth } from './statement-filters.ts'

test('two years of months can be chosen, and an older one that a link names', () => {
  const now = new Date('2026-03-01T00:30:00Z')
  const months = monthsToChoose('', now)
  expect([months[0], months[2], months.at(-1)]).toEqual(['2026-03', '2026-01', '2024-04'])
  expect(monthsToChoose('2026-01', now)).toEqual(months)
  expect(monthsToChoose('2023-12', now)).toEqual([...months, '2023-12'])
  expect([nameOfMonth('2023-12'), shortNameOfMonth('2023-12')]).toEqual([
    'December 2023',
    'Dec 2023',
  ])
})
