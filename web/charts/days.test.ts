import { expect, test } from 'vitest'
import { barTicks, dayTicks, weekdayText } from './days.ts'

test('a day reads as everywhere else in the product, in any time zone', () => {
  expect(weekdayText('2026-11-20')).toBe('Fri 20-11-2026')
})

const days = Array.from({ length: 30 }, (_, day) => `2026-11-${String(day + 1).padStart(2, '0')}`)

test('an axis names the last day and days before it in equal steps', () => {
  expect(dayTicks(days, 6.2)).toEqual([
    '2026-11-02',
    '2026-11-09',
    '2026-11-16',
    '2026-11-23',
    '2026-11-30',
  ])
})

test('of the steps that fit, an axis takes one that reaches the first day', () => {
  expect(dayTicks(days.slice(0, 7), 1.5)).toEqual([
    '2026-11-01',
    '2026-11-03',
    '2026-11-05',
    '2026-11-07',
  ])
  expect(dayTicks(days.slice(0, 16), 4)).toEqual([
    '2026-11-01',
    '2026-11-06',
    '2026-11-11',
    '2026-11-16',
  ])
})

test('a period shorter than a step names its ends', () => {
  expect(dayTicks(days.slice(0, 2), 4)).toEqual(['2026-11-01', '2026-11-02'])
  expect(dayTicks(['2026-11-01'], 4)).toEqual(['2026-11-01'])
})

test('few bars that are far apart are named by their own days', () => {
  const bars = (...used: number[]) =>
    days.slice(0, 14).map((_, day) => (used.includes(day) ? 1 : 0))
  const ticks = (...used: number[]) => barTicks(days.slice(0, 14), bars(...used), 5)
  expect(ticks(0, 13)).toEqual(['2026-11-01', '2026-11-14'])
  expect(ticks(0, 3, 13)).toEqual(dayTicks(days.slice(0, 14), 5))
  expect(ticks()).toEqual(dayTicks(days.slice(0, 14), 5))
})
