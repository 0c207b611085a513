import { expect, test } from 'vitest'
import {
  dateText,
  dateTimeText,
  durationText,
  longDateTimeText,
  relativeTimeText,
  timeText,
  timeWithSecondsText,
} from './date-text.ts'

test("dates are day, month, year with dashes and 24 hours, in the user's time zone", () => {
  const noon = new Date(2026, 10, 3, 15, 7, 59)
  expect([dateText(noon), timeText(noon), dateTimeText(noon)]).toEqual([
    '03-11-2026',
    '15:07',
    '03-11-2026 15:07',
  ])
  expect(dateTimeText(noon.toISOString())).toBe(dateTimeText(noon.getTime()))
  expect(timeWithSecondsText(noon)).toBe('15:07:59')
  expect([
    dateText('soon'),
    timeText(Number.NaN),
    timeWithSecondsText(''),
    dateTimeText(''),
  ]).toEqual(['–', '–', '–', '–'])
})

test('the tooltip of a date names its month in words', () => {
  expect(longDateTimeText(new Date(2026, 10, 10, 11, 42))).toBe('Tuesday, November 10, 2026, 11:42')
  expect(longDateTimeText('soon')).toBe('')
})

test('elapsed time shows hours from one hour on', () => {
  expect([0, 59, 134.9, 3599, 3600, 36_061, -1, Number.NaN].map(durationText)).toEqual([
    '00:00',
    '00:59',
    '02:14',
    '59:59',
    '1:00:00',
    '10:01:01',
    '00:00',
    '00:00',
  ])
})

test('a relative time counts whole units towards now, and names no seconds', () => {
  const now = Date.UTC(2026, 10, 24, 12)
  const after = (minutes: number) => relativeTimeText(now + minutes * 60_000, now)
  expect([-60 * 24 * 2.9, -119, -60, -1.9, -0.5].map(after)).toEqual([
    '2 days ago',
    '1 hour ago',
    '1 hour ago',
    '1 minute ago',
    'just now',
  ])
  expect([0.5, 1, 59.9, 150].map(after)).toEqual([
    'in less than a minute',
    'in 1 minute',
    'in 59 minutes',
    'in 2 hours',
  ])
  expect(relativeTimeText('soon', now)).toBe('–')
})
