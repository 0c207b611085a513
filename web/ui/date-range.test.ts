import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { startOfDay, endOfDay, isRangeReversed } from './date-range.ts'

const DAY_IN_ZONE = `
  import { endOfDay, startOfDay } from '${new URL('date-range.ts', import.meta.url).href}'
  console.log(JSON.stringify([endOfDay(process.argv[1]), startOfDay(process.argv[2])]))`

test("a day lasts from midnight to midnight in the user's time zone", () => {
  const begins = new Date(startOfDay('2026-11-21')!)
  const ends = new Date(endOfDay('2026-11-21')!)
  expect([begins.getHours(), begins.getMinutes(), begins.getDate()]).toEqual([0, 0, 21])
  expect([
    ends.getHours(),
    ends.getMinutes(),
    ends.getSeconds(),
    ends.getMilliseconds(),
    ends.getDate(),
  ]).toEqual([23, 59, 59, 999, 21])
})

test.each([
  ['Africa/Cairo', '2026-10-29', '2026-10-30'],
  ['America/Santiago', '2026-04-04', '2026-04-05'],
  ['America/Havana', '2026-10-31', '2026-11-01'],
  ['America/New_York', '2026-11-01', '2026-11-02'],
])('each hour belongs to a day, also where clocks go back at midnight: %s', (TZ, day, next) => {
  // The zone of this process was read when it began.
  const [end, start] = JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', DAY_IN_ZONE, day, next], {
      env: { TZ },
      encoding: 'utf8',
    }),
  ) as [string, string]
  expect(Date.parse(end) + 1).toBe(Date.parse(start))
})

test('an invalid day does not filter', () => {
  expect([startOfDay(''), endOfDay('yesterday'), startOfDay('0000-00-00')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('a range that ends before it begins is reversed, one with a missing day never', () => {
  expect(isRangeReversed('2026-11-21', '2026-11-20')).toBe(true)
  expect(isRangeReversed('2026-11-20', '2026-11-20')).toBe(false)
  expect(isRangeReversed('', '2026-11-20')).toBe(false)
})
