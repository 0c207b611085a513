import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { patientTimeout, patientWait } from './patient-timers.ts'
import type { SetTimeout, Wait } from './patient-timers.ts'

/** Patient timers with a clock that jumps ahead by 5 s when the `late`th timer fires (0: never). `countFired`: how many have fired. */
function lateTimers(late: number, onFired: (timer: NodeJS.Timeout) => void = () => {}) {
  let now = 0
  let fired = 0
  const note = (): void => {
    if (++fired === late) now += 5_000
  }
  const start: SetTimeout = (callback, ms) => {
    const timer = setTimeout(() => {
      note()
      callback()
      onFired(timer)
    }, ms)
    return timer
  }
  const wait: Wait = (...args) =>
    promisify(setTimeout)(args[0], args[1]).then(value => {
      note()
      return value
    })
  return {
    setTimeout: patientTimeout(start, () => now),
    wait: patientWait(wait, () => now),
    countFired: () => fired,
  }
}

const pause = () => new Promise(done => void setTimeout(done, 50))

test('a timer that comes late is started once more, and then calls back with its arguments', async () => {
  const timers = lateTimers(1)
  const called = await new Promise(done => {
    timers.setTimeout((...args) => done(args), 1, 'a', 'b')
  })
  expect([called, timers.countFired()]).toEqual([['a', 'b'], 2])
})

test('a timer that comes in time calls back at once', async () => {
  const timers = lateTimers(0)
  await new Promise<unknown>(done => void timers.setTimeout(done, 1))
  expect(timers.countFired()).toBe(1)
})

test('a timer without a time is never late', async () => {
  const timers = lateTimers(1)
  await new Promise<unknown>(done => void timers.setTimeout(done))
  expect(timers.countFired()).toBe(1)
})

test('a timer that was started once more can be cleared', async () => {
  const timers = lateTimers(1, timer => clearTimeout(timer))
  const callback = vi.fn<() => void>()
  timers.setTimeout(callback, 1)
  await expect.poll(timers.countFired).toBe(1)
  await pause()
  expect(callback).not.toHaveBeenCalled()
})

test('a refreshed timer has its time again, and is again started once more', async () => {
  const timers = lateTimers(2)
  let called = 0
  const timer = timers.setTimeout(() => void called++, 1)
  await expect.poll(() => called).toBe(1)
  timer.refresh()
  await expect.poll(() => called).toBe(2)
  expect(timers.countFired()).toBe(3)
})

test('a timer without a reference to the event loop (unref) stays so when it is started once more', async () => {
  let hasRef: boolean | undefined
  const timers = lateTimers(1, timer => (hasRef ??= timer.hasRef()))
  const called = new Promise<unknown>(done => void timers.setTimeout(done, 1).unref())
  const awake = setInterval(() => {}, 10)
  await called
  clearInterval(awake)
  expect(hasRef).toBe(false)
})

test('a wait that ends late goes on once more', async () => {
  const timers = lateTimers(1)
  expect(await timers.wait(1, 'value')).toBe('value')
  expect(timers.countFired()).toBe(2)
})

test('vitest can replace the timers by fake ones, and restores them afterwards', async () => {
  const own = globalThis.setTimeout
  vi.useFakeTimers()
  try {
    const callback = vi.fn<() => void>()
    setTimeout(callback, 60_000)
    vi.advanceTimersByTime(60_000)
    expect(callback).toHaveBeenCalledOnce()
  } finally {
    vi.useRealTimers()
  }
  expect(globalThis.setTimeout).toBe(own)
  expect(await promisify(setTimeout)(1, 'value')).toBe('value')
})
