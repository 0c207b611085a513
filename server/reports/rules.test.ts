import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import { balanceMoments, balancePoints, daysLeft, paceOf, perDay } from './rules.ts'

const at = (text: string): number => Date.parse(text)

test('the curve is counted back from the balance of now, and passes each deposit', () => {
  const midnights = [at('2026-11-20T00:00:00Z'), at('2026-11-21T00:00:00Z')]
  const now = at('2026-11-21T10:05:00Z')
  const moments = balanceMoments(
    midnights,
    [at('2026-11-20T09:45:00Z'), at('2026-11-21T10:00:00Z')],
    now,
  )
  expect(moments.map(moment => new Date(moment).toISOString().slice(8, 16))).toEqual([
    '20T00:00',
    '20T10:00',
    '21T00:00',
    '21T10:05',
  ])
  const points = balancePoints(
    moments,
    [
      { after: 0, available: cents(5_000), held: cents(0) },
      { after: 1, available: cents(-1_300), held: cents(650) },
      // While the report was read.
      { after: 3, available: cents(-650), held: cents(0) },
    ],
    { available: cents(3_050), held: cents(650) },
  )
  expect(points.map(({ available, held }) => [available, held])).toEqual([
    [0, 0],
    [5_000, 0],
    [3_700, 650],
    [3_050, 650],
  ])
})

test('the pace is of 14 days, or of the days since the first label', () => {
  const now = at('2026-11-21T10:00:00Z')
  const since = (text: string) => ({ spent: cents(10_000), since: at(text) })
  expect(paceOf(since('2026-11-07T10:00:00Z'), now, 14)).toEqual({ days: 14, spent: 10_000 })
  expect(paceOf(since('2026-11-19T08:00:00Z'), now, 14)).toEqual({ days: 3, spent: 10_000 })
  expect(paceOf(since('2026-11-21T09:45:00Z'), now, 14)).toEqual({ days: 1, spent: 10_000 })
  expect(perDay({ days: 3, spent: cents(10_000) })).toBe(3_333)
  expect(daysLeft(cents(20_000), { days: 3, spent: cents(10_000) })).toBe(6)
})

test('without spending there is no pace, and more refunds than labels are none', () => {
  const now = at('2026-11-21T10:00:00Z')
  expect(paceOf({ spent: cents(0), since: null }, now, 14)).toBe(null)
  expect(paceOf({ spent: cents(-950), since: now }, now, 14)).toBe(null)
})
