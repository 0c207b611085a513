import { expect, test } from 'vitest'
import { unlessAborted } from './unless-aborted.ts'

const forever = new Promise<string>(() => {})

test('a promise that takes long is not waited for after an abort', async () => {
  const controller = new AbortController()
  const waiting = unlessAborted(forever, controller.signal)
  controller.abort(new Error('cancelled'))
  await expect(waiting).rejects.toThrow('cancelled')
  await expect(unlessAborted(forever, controller.signal)).rejects.toThrow('cancelled')
  await expect(unlessAborted(Promise.resolve('late'), controller.signal)).rejects.toThrow(
    'cancelled',
  )
})

test('without an abort the promise settles as it is', async () => {
  const { signal } = new AbortController()
  expect(await unlessAborted(Promise.resolve('rows'), signal)).toBe('rows')
  expect(await unlessAborted(Promise.resolve('rows'))).toBe('rows')
  await expect(unlessAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no')
})
