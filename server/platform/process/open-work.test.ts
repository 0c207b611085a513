import { expect, test } from 'vitest'
import { OpenWork } from './open-work.ts'

test('work that has ended is forgotten, whether it succeeded or failed', async () => {
  const open = new OpenWork()
  for (let n = 0; n < 1_000; n++)
    open.add(n % 2 === 0 ? Promise.resolve(n) : Promise.reject(new Error('no')))
  expect(open.size).toBe(1_000)
  await open.done()
  expect(open.size).toBe(0)
})

test('a stop waits for work under way, and for the work that follows from it', async () => {
  const open = new OpenWork()
  const done: string[] = []
  const { promise: answer, resolve } = Promise.withResolvers<void>()
  open.add(
    answer.then(() => {
      done.push('first')
      open.add(Promise.resolve().then(() => done.push('second')))
    }),
  )
  const stopped = open.done().then(() => done.push('stopped'))
  resolve()
  await stopped
  expect(done).toEqual(['first', 'second', 'stopped'])
})
