import { afterEach, expect, test, vi } from 'vitest'
import { prepareReading, readFile, releaseReading } from './read-file.ts'
import type { ReadContext } from './read-file.ts'

/** A worker that does what a test tells it, and nothing by itself. */
class FakeWorker extends EventTarget {
  static made: FakeWorker[] = []
  ended = false
  sent: unknown[] = []
  constructor() {
    super()
    FakeWorker.made.push(this)
  }
  postMessage(message: unknown) {
    this.sent.push(message)
  }
  terminate() {
    this.ended = true
  }
  says(data: unknown) {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
  fails() {
    this.dispatchEvent(new Event('error'))
  }
}
vi.stubGlobal('Worker', FakeWorker)
const { made } = FakeWorker
const workerIsMade = async (index: number) => {
  await expect.poll(() => made[index]).toBeDefined()
}

const CONTEXT: ReadContext = { skus: [], maxRows: 100 }
const file = new File(['Name\nFir'], 'orders.csv')
const read = (signal?: AbortSignal) => readFile(file, CONTEXT, {}, signal)

afterEach(() => {
  releaseReading()
  made.length = 0
})

test('cancel ends a file whose worker has not started, and the worker once it has', async () => {
  const controller = new AbortController()
  const reading = read(controller.signal)
  await workerIsMade(0)
  controller.abort(new Error('cancelled'))
  await expect(reading).rejects.toThrow('cancelled')
  made[0]!.says({ started: true })
  await expect.poll(() => made[0]!.ended).toBe(true)
  expect(made[0]!.sent).toEqual([])
})

test('cancel ends a file that is being read', async () => {
  const controller = new AbortController()
  const reading = read(controller.signal)
  await workerIsMade(0)
  made[0]!.says({ started: true })
  await expect.poll(() => made[0]!.sent.length).toBe(1)
  controller.abort(new Error('cancelled'))
  await expect(reading).rejects.toThrow('cancelled')
  expect(made[0]!.ended).toBe(true)
})

test('a worker that was started ahead reads the file, or another one if it did not start', async () => {
  const answer = { problem: 'Read by a worker' }
  prepareReading()
  prepareReading()
  const first = read()
  made[0]!.says({ started: true })
  await expect.poll(() => made[0]!.sent.length).toBe(1)
  made[0]!.says({ answer, rowCount: 0 })
  expect(await first).toEqual(answer)
  expect(made).toHaveLength(1)
  prepareReading()
  made[1]!.fails()
  const second = read()
  await workerIsMade(2)
  made[2]!.says({ started: true })
  await expect.poll(() => made[2]!.sent.length).toBe(1)
  made[2]!.says({ answer, rowCount: 0 })
  expect(await second).toEqual(answer)
})

test('a worker that waits for a file ends with the page', async () => {
  prepareReading()
  made[0]!.says({ started: true })
  releaseReading()
  await expect.poll(() => made[0]!.ended).toBe(true)
})
