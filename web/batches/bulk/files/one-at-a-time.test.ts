import { expect, test } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

/** Work that ends when it is cancelled or told to. */
function loggedWork() {
  const log: string[] = []
  const { run, abort } = oneAtATime()
  const ends = new Map<string, () => void>()
  const start = (name: string, replaces = false) =>
    run(async signal => {
      log.push(`${name} starts`)
      await new Promise<void>(resolve => {
        ends.set(name, resolve)
        signal.addEventListener('abort', () => resolve())
      })
      log.push(signal.aborted ? `${name} cancelled` : `${name} done`)
    }, replaces)
  return { log, start, abort, end: (name: string) => ends.get(name)?.() }
}

test('of three files that replace each other the newest is read', async () => {
  const { log, start, end } = loggedWork()
  const [first, second, third] = [start('a', true), start('b', true), start('c', true)]
  await Promise.all([first, second])
  await expect.poll(() => log.at(-1)).toBe('c starts')
  end('c')
  await third
  expect(log).toEqual(['a starts', 'a cancelled', 'c starts', 'c done'])
})

test('other work is not started while one runs, and is after its end', async () => {
  const { log, start, end, abort } = loggedWork()
  const first = start('a')
  await start('b')
  end('a')
  await first
  const next = start('c')
  abort()
  await next
  expect(log).toEqual(['a starts', 'a done', 'c starts', 'c cancelled'])
})

test('work that failed is not in the way of the next', async () => {
  const { run } = oneAtATime()
  await expect(run(() => Promise.reject(new Error('no')), false)).rejects.toThrow('no')
  let ran = false
  await run(async () => {
    ran = true
  }, false)
  expect(ran).toBe(true)
})
