import { expect, test } from 'vitest'
import { openDownloadSlots } from './download-slots.ts'

test('one user has a limited number of slots, and gets another when one is released', () => {
  const turns = openDownloadSlots({ perUser: 2, total: 10 })
  const first = turns.acquire(1)
  turns.acquire(1)
  expect(() => turns.acquire(1)).toThrow(
    expect.objectContaining({ code: 'too_many', retryAfter: expect.any(Number) }),
  )
  turns.acquire(2)
  first()
  first()
  turns.acquire(1)
  expect(() => turns.acquire(1)).toThrow('already')
})

test('all users together have a limited number of slots', () => {
  const turns = openDownloadSlots({ perUser: 2, total: 3 })
  const [one] = [1, 2, 3].map(userId => turns.acquire(userId))
  expect(() => turns.acquire(4)).toThrow(
    expect.objectContaining({ code: 'unavailable', retryAfter: expect.any(Number) }),
  )
  one!()
  turns.acquire(4)
})
