import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { streamFromWriter } from './writer-stream.ts'

const OPEN = new AbortController().signal
const PIECE = Buffer.alloc(300 * 1024, 'x')

test('everything written is read, to the last byte', async () => {
  const stream = await streamFromWriter(async ({ write }) => {
    for (const piece of ['one ', 'two ', 'three']) await write(Buffer.from(piece))
  }, OPEN)
  expect((await buffer(stream)).toString()).toBe('one two three')
})

test('the writer waits for its reader', async () => {
  let written = 0
  const stream = await streamFromWriter(async ({ write }) => {
    for (; written < 20; written++) await write(PIECE)
  }, OPEN)
  await new Promise(resolve => setImmediate(resolve))
  expect(written).toBe(0)
  expect((await buffer(stream)).length).toBe(20 * PIECE.length)
  expect(written).toBe(20)
})

test('when the reader is gone, the writer ends', async () => {
  const ended = Promise.withResolvers<unknown>()
  const stream = await streamFromWriter(async ({ write }) => {
    try {
      for (;;) await write(PIECE)
    } catch (error) {
      ended.resolve(error)
      throw error
    }
  }, OPEN)
  stream.destroy()
  expect(await ended.promise).toEqual(new Error('the reader is gone'))
})

test.each([
  ['all is', 1],
  ['some is', 3],
])('a reader who takes nothing any more is given up, also when %s written', async (_, pieces) => {
  const stream = await streamFromWriter(
    async ({ write }) => {
      for (let written = 0; written < pieces; written++) await write(PIECE.subarray(0, 200 * 1024))
    },
    OPEN,
    { readerTimeoutMs: 20 },
  )
  await new Promise(resolve => stream.once('close', resolve))
  expect(stream.errored).toEqual(new Error('the reader stopped reading'))
})

test('an error before the first byte is thrown; after it the stream is destroyed', async () => {
  const fault = new Error('the disk is gone')
  await expect(streamFromWriter(() => Promise.reject(fault), OPEN)).rejects.toBe(fault)
  const stream = await streamFromWriter(async ({ write }) => {
    await write(PIECE)
    throw fault
  }, OPEN)
  await expect(buffer(stream)).rejects.toBe(fault)
})

test('a slot is given to others while the reader is slow', async () => {
  const steps: string[] = []
  const slot = {
    pause: () => void steps.push('paused'),
    resume: async () => void steps.push('resumed'),
  }
  const stream = await streamFromWriter(
    async ({ write }) => {
      for (let written = 0; written < 2; written++) await write(PIECE)
      steps.push('written')
    },
    OPEN,
    { slot },
  )
  expect(steps).toEqual(['paused'])
  await buffer(stream)
  expect(steps).toEqual(['paused', 'resumed', 'paused', 'resumed', 'written'])
})

test('a writer without output gives an empty stream', async () => {
  expect(await buffer(await streamFromWriter(async () => {}, OPEN))).toEqual(Buffer.alloc(0))
})
