import { expect, test } from 'vitest'
import { daysOfReader, localDays } from './local-days.ts'

const at = (text: string): number => Date.parse(text)
const shown = (days: { date: string; at: number }[]) =>
  days.map(day => `${day.date} ${new Date(day.at).toISOString().slice(0, 16)}`)

test('a day begins at the reader’s midnight, also when the clocks change', () => {
  expect(shown(localDays(at('2026-11-02T03:00:00Z'), 3, 'America/New_York'))).toEqual([
    '2026-10-30 2026-10-30T04:00',
    '2026-10-31 2026-10-31T04:00',
    '2026-11-01 2026-11-01T04:00',
  ])
  expect(shown(localDays(at('2026-11-02T06:00:00Z'), 3, 'America/New_York'))).toEqual([
    '2026-10-31 2026-10-31T04:00',
    '2026-11-01 2026-11-01T04:00',
    '2026-11-02 2026-11-02T05:00',
  ])
  expect(shown(localDays(at('2026-03-09T12:00:00Z'), 2, 'America/Los_Angeles'))).toEqual([
    '2026-03-08 2026-03-08T08:00',
    '2026-03-09 2026-03-09T07:00',
  ])
})

test('a day without midnight begins at one o’clock, and one with two at the first', () => {
  // Chile goes from 23:59 to 1:00; Cuba from 0:59 back to 0:00.
  expect(shown(localDays(at('2026-09-06T12:00:00Z'), 2, 'America/Santiago'))).toEqual([
    '2026-09-05 2026-09-05T04:00',
    '2026-09-06 2026-09-06T04:00',
  ])
  expect(shown(localDays(at('2026-11-02T12:00:00Z'), 2, 'America/Havana'))).toEqual([
    '2026-11-01 2026-11-01T04:00',
    '2026-11-02 2026-11-02T05:00',
  ])
})

test('a day begins at a whole quarter of an hour in every time zone', () => {
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    for (const day of localDays(at('2026-11-22T12:00:00Z'), 7, zone))
      expect(day.at % 900_000, `${zone} ${day.date}`).toBe(0)
  }
})

test('the days of a reader who names no time zone begin at the same hour all year', () => {
  const days = (reader: { timezone?: string; offset: number }) =>
    shown(daysOfReader(at('2026-11-02T06:00:00Z'), 3, reader)).map(day => day.slice(-5))
  expect(days({ offset: -300 })).toEqual(['05:00', '05:00', '05:00'])
  expect(days({ timezone: 'America/New_York', offset: 0 })).toEqual(['04:00', '04:00', '05:00'])
})
