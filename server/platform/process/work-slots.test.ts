import { expect, test } from 'vitest'
import { openWorkSlots } from './work-slots.ts'

const LIMITS = { perUser: 2, total: 10, waitingPerUser: 1, waitingTotal: 10, patienceMs: 60_000 }
const tooMany = expect.objectContaining({
  code: 'too_many_at_once',
  retryAfter: expect.any(Number),
})

/** Names in the order in which they get their slots. */
const orderOf = () => {
  const names: string[] = []
  return { names, note: (name: string) => () => void names.push(name) }
}

test('one user has a limited number of slots, and gets another when one is released', async () => {
  const slots = openWorkSlots('files', { ...LIMITS, waitingPerUser: 0 })
  const first = await slots.acquire(1)
  await slots.acquire(1)
  await expect(slots.acquire(1)).rejects.toEqual(tooMany)
  await slots.acquire(2)
  first.release()
  first.release()
  await slots.acquire(1)
  await expect(slots.acquire(1)).rejects.toThrow('Too many files of yours')
})

test('all users together have a limited number of slots', async () => {
  const slots = openWorkSlots('files', { ...LIMITS, total: 3, waitingPerUser: 0 })
  const [one] = await Promise.all([1, 2, 3].map(userId => slots.acquire(userId)))
  await expect(slots.acquire(4)).rejects.toEqual(
    expect.objectContaining({ code: 'busy', retryAfter: expect.any(Number) }),
  )
  one!.release()
  await slots.acquire(4)
})

test('work waits in line, and a longer line is refused', async () => {
  const slots = openWorkSlots('files', { ...LIMITS, perUser: 1 })
  const first = await slots.acquire(1)
  const second = slots.acquire(1)
  await expect(slots.acquire(1)).rejects.toEqual(tooMany)
  first.release()
  ;(await second).release()
})

test('the user with the least work under way is next', async () => {
  const slots = openWorkSlots('files', { ...LIMITS, total: 2, waitingPerUser: 5 })
  const { names, note } = orderOf()
  const [first, second] = await Promise.all([slots.acquire(1), slots.acquire(1)])
  const busy = slots.acquire(1).then(note('busy'))
  const idle = slots.acquire(2).then(note('idle'))
  first!.release()
  await idle
  second!.release()
  await busy
  expect(names).toEqual(['idle', 'busy'])
})

test('while work is paused others have its slot, and it goes on before new work begins', async () => {
  const slots = openWorkSlots('files', { ...LIMITS, total: 1 })
  const { names, note } = orderOf()
  const slow = await slots.acquire(1)
  slow.pause()
  const other = await slots.acquire(2)
  const newcomer = slots.acquire(3).then(slot => {
    names.push('newcomer')
    slot.release()
  })
  const resumed = slow.resume().then(note('resumed'))
  other.release()
  await resumed
  slow.release()
  await newcomer
  expect(names).toEqual(['resumed', 'newcomer'])
})

test('a caller who hangs up leaves the line', async () => {
  const slots = openWorkSlots('files', { ...LIMITS, perUser: 1 })
  const first = await slots.acquire(1)
  const caller = new AbortController()
  const gone = slots.acquire(1, caller.signal)
  caller.abort()
  await expect(gone).rejects.toEqual(tooMany)
  const next = slots.acquire(1)
  first.release()
  await next
})

test('work that waits too long is refused', async () => {
  const slots = openWorkSlots('files', { ...LIMITS, perUser: 1, patienceMs: 5 })
  await slots.acquire(1)
  await expect(slots.acquire(1)).rejects.toEqual(tooMany)
})

test('work that fails leaves its slot, also while it has given it to others', async () => {
  const slots = openWorkSlots('files', { ...LIMITS, perUser: 1 })
  const fails = () => Promise.reject(new Error('no answer'))
  await expect(slots.run(1, undefined, fails)).rejects.toThrow('no answer')
  await expect(slots.run(1, undefined, slot => slot.pausedFor(fails))).rejects.toThrow('no answer')
  const inner = await slots.run(1, undefined, slot =>
    slot.pausedFor(() => slots.run(1, undefined, async () => 'done')),
  )
  expect(inner).toBe('done')
  await slots.acquire(1)
})
