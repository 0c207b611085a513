import { expect, test } from 'vitest'
import type { Database } from '#server/platform/database/database.ts'
import { forgetReadFirst, readFirst, readsFirst } from './read-first.ts'

const MINUTE = 60_000
const [ana, ben] = [1, 2]
/** Only its identity counts. */
const database = {} as Database

test('the rows of a refused user are read first for ten minutes, those of others are not', () => {
  readFirst(database, ana, 5 * MINUTE)
  expect([14, 15].map(at => readsFirst(database, ana, at * MINUTE))).toEqual([true, false])
  expect(readsFirst(database, ben, 6 * MINUTE)).toBe(false)
  expect(readsFirst({} as Database, ana, 6 * MINUTE)).toBe(false)
})

test('another refusal begins the ten minutes again, an accepted bulk order ends them', () => {
  readFirst(database, ben, 0)
  readFirst(database, ben, 9 * MINUTE)
  expect(readsFirst(database, ben, 18 * MINUTE)).toBe(true)
  forgetReadFirst(database, ben)
  expect(readsFirst(database, ben, 18 * MINUTE)).toBe(false)
})
