import { expect, test } from 'vitest'
import type { Database } from '#server/platform/database/database.ts'
import { forgetLateRefusal, hadLateRefusal, recordLateRefusal } from './late-refusals.ts'

const MINUTE = 60_000
const [ana, ben] = [1, 2]
/** Only its identity counts. */
const database = {} as Database

test('the rows of a refused user are read first for ten minutes, those of others are not', () => {
  recordLateRefusal(database, ana, 5 * MINUTE)
  expect([14, 15].map(at => hadLateRefusal(database, ana, at * MINUTE))).toEqual([true, false])
  expect(hadLateRefusal(database, ben, 6 * MINUTE)).toBe(false)
  expect(hadLateRefusal({} as Database, ana, 6 * MINUTE)).toBe(false)
})

test('another refusal begins the ten minutes again, an accepted bulk order ends them', () => {
  recordLateRefusal(database, ben, 0)
  recordLateRefusal(database, ben, 9 * MINUTE)
  expect(hadLateRefusal(database, ben, 18 * MINUTE)).toBe(true)
  forgetLateRefusal(database, ben)
  expect(hadLateRefusal(database, ben, 18 * MINUTE)).toBe(false)
})
