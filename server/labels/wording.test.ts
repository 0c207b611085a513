import { expect, test } from 'vitest'
import { printedDate, printedDay } from './wording.ts'

test('a slip of an evening in New York has that day, as the confirmation of its order does', () => {
  expect(printedDate(new Date('2026-12-01T04:59:00Z'))).toBe('Nov 30, 2026')
  expect(printedDate(new Date('2026-12-01T05:00:00Z'))).toBe('Dec 1, 2026')
})

test('a day of mailing is printed as it is', () => {
  expect(printedDay('2026-12-01')).toBe('Dec 1, 2026')
})
