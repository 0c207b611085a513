import { expect, test } from 'vitest'
import { openTurns } from './turns.ts'

test('one person has so many turns, and gets the next when one is over', () => {
  const turns = openTurns({ each: 2, all: 10 })
  const first = turns.take(1)
  turns.take(1)
  expect(() => turns.take(1)).toThrow(
    expect.objectContaining({ code: 'too_many', retryAfter: expect.any(Number) }),
  )
  turns.take(2)
  first()
  first()
  turns.take(1)
  expect(() => turns.take(1)).toThrow('already')
})

test('all together have so many turns, whoever they are', () => {
  const turns = openTurns({ each: 2, all: 3 })
  const [one] = [1, 2, 3].map(userId => turns.take(userId))
  expect(() => turns.take(4)).toThrow(
    expect.objectContaining({ code: 'unavailable', retryAfter: expect.any(Number) }),
  )
  one!()
  turns.take(4)
})
