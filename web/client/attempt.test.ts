import { expect, test, vi } from 'vitest'
import * as z from 'zod'
import { attemptFor, randomUuid } from './attempt.ts'

test('what is sent again unchanged has the same key, a changed body a new one', () => {
  let made = 0
  const next = () => `key ${++made}`
  const first = attemptFor(null, 'a', next)
  expect(attemptFor(first, 'a', next)).toBe(first)
  expect(attemptFor(first, 'b', next)).toEqual({ key: 'key 2', body: 'b' })
})

test('keys are UUIDs, no two are alike, and plain http is enough', () => {
  vi.spyOn(crypto, 'randomUUID').mockImplementation(() => {
    throw new TypeError('crypto.randomUUID is not a function')
  })
  const keys = Array.from({ length: 200 }, randomUuid)
  for (const key of keys) expect(z.uuidv4().safeParse(key).success).toBe(true)
  expect(new Set(keys).size).toBe(keys.length)
})
