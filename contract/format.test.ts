import { expect, test } from 'vitest'
import {
  batchDate,
  counted,
  dateText,
  dateTime,
  elapsed,
  groupTracking,
  pages,
  secondText,
  timeText,
} from './format.ts'

test('dates are day, month, year with dashes and 24 hours, in the reader’s own zone', () => {
  const noon = new Date(2026, 10, 3, 15, 7, 59)
  expect([dateText(noon), timeText(noon), dateTime(noon)]).toEqual([
    '03-11-2026',
    '15:07',
    '03-11-2026 15:07',
  ])
  expect(dateTime(noon.toISOString())).toBe(dateTime(noon.getTime()))
  expect(secondText(noon)).toBe('15:07:59')
  expect(batchDate(noon)).toBe('Nov 3, 2026 | 15:07')
  expect([
    dateText('soon'),
    timeText(Number.NaN),
    secondText(''),
    dateTime(''),
    batchDate(''),
  ]).toEqual(['–', '–', '–', '–', '–'])
})

test('elapsed time grows hours from one hour on', () => {
  expect([0, 59, 134.9, 3599, 3600, 36_061, -1, Number.NaN].map(elapsed)).toEqual([
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
    counted(1, 'row'),
    counted(0, 'row'),
    counted(12_000, 'row'),
    counted(2, 'entry', 'entries'),
  ]).toEqual(['1 row', '0 rows', '12,000 rows', '2 entries'])
})

test('pages are left out from the eighth on', () => {
  expect(pages(1, 0)).toEqual([])
  expect(pages(3, 7)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(pages(1, 8)).toEqual([1, 2, 3, 4, 5, 'gap', 8])
  expect(pages(4, 8)).toEqual([1, 2, 3, 4, 5, 'gap', 8])
  expect(pages(5, 10)).toEqual([1, 'gap', 4, 5, 6, 'gap', 10])
  expect(pages(7, 10)).toEqual([1, 'gap', 6, 7, 8, 9, 10])
  for (let page = 1; page <= 100; page++) expect(pages(page, 100)).toContain(page)
})
