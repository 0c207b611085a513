import { expect, test } from 'vitest'
import {
  batchDateText,
  countText,
  dateText,
  dateTimeText,
  durationText,
  groupTracking,
  pageNumbersFor,
  timeWithSecondsText,
  timeText,
} from './format.ts'

test('dates are day, month, year with dashes and 24 hours, in the reader’s own zone', () => {
  const noon = new Date(2026, 10, 3, 15, 7, 59)
  expect([dateText(noon), timeText(noon), dateTimeText(noon)]).toEqual([
    '03-11-2026',
    '15:07',
    '03-11-2026 15:07',
  ])
  expect(dateTimeText(noon.toISOString())).toBe(dateTimeText(noon.getTime()))
  expect(timeWithSecondsText(noon)).toBe('15:07:59')
  expect(batchDateText(noon)).toBe('Nov 3, 2026 | 15:07')
  expect([
    dateText('soon'),
    timeText(Number.NaN),
    timeWithSecondsText(''),
    dateTimeText(''),
    batchDateText(''),
  ]).toEqual(['–', '–', '–', '–', '–'])
})

test('elapsed time grows hours from one hour on', () => {
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

test('tracking numbers are read in fours', () => {
  expect(groupTracking('9800100000000000000017')).toBe('9800 1000 0000 0000 0000 17')
  expect(groupTracking('9800 1000')).toBe('9800 1000')
  expect(groupTracking('')).toBe('')
})

test('one row, two rows', () => {
  expect([
    countText(1, 'row'),
    countText(0, 'row'),
    countText(12_000, 'row'),
    countText(2, 'entry', 'entries'),
  ]).toEqual(['1 row', '0 rows', '12,000 rows', '2 entries'])
})

test('pages are left out from the eighth on', () => {
  expect(pageNumbersFor(1, 0)).toEqual([])
  expect(pageNumbersFor(3, 7)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(pageNumbersFor(1, 8)).toEqual([1, 2, 3, 4, 5, 'gap', 8])
  expect(pageNumbersFor(4, 8)).toEqual([1, 2, 3, 4, 5, 'gap', 8])
  expect(pageNumbersFor(5, 10)).toEqual([1, 'gap', 4, 5, 6, 'gap', 10])
  expect(pageNumbersFor(7, 10)).toEqual([1, 'gap', 6, 7, 8, 9, 10])
  for (let page = 1; page <= 100; page++) expect(pageNumbersFor(page, 100)).toContain(page)
})
