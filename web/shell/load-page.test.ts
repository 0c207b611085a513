import { expect, onTestFinished, test, vi } from 'vitest'
import { ChunkError, importWithRetry, prefetch } from './load-page.ts'

test('a page that fails to load is loaded again', async () => {
  let tries = 0
  const load = async () => {
    tries += 1
    if (tries < 3) throw new TypeError('Failed to fetch')
    return 'the page'
  }
  expect(await importWithRetry(load, [0, 0, 0])).toBe('the page')
  expect(tries).toBe(3)
})

test('a missing page fails in the end', async () => {
  const load = () => Promise.reject(new TypeError('gone'))
  await expect(importWithRetry(load, [0])).rejects.toThrow(ChunkError)
})

test('other pages are loaded soon after the first; in a browser that saves data, dialogs alone', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  onTestFinished(() => void vi.unstubAllGlobals())
  const load = vi.fn<() => Promise<void>>(() => Promise.resolve())
  vi.stubGlobal('navigator', { connection: { saveData: true } })
  prefetch([load])
  vi.runAllTimers()
  expect(load).not.toHaveBeenCalled()
  prefetch([load], 'always')
  vi.runAllTimers()
  expect(load).toHaveBeenCalledOnce()
  vi.stubGlobal('navigator', {})
  prefetch([load])
  vi.runAllTimers()
  expect(load).toHaveBeenCalledTimes(2)
})
