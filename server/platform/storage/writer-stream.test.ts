import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { streamFromWriter } from './writer-stream.ts'

const OPEN = new AbortController().signal
const PIECE = Buffer.alloc(300 * 1024, 'x')

test('what is written is read, to the last byte', async () => {
  const stream = await streamFromWriter(async ({ write }) => {
    for (const piece of ['one ', 'two ', 'three']) await write(Buffer.from(piece))
  }, OPEN)
  expect((await buffer(stream)).toString()).toBe('one two three')
})

test('no more is written than is read', async () => {
  let written = 0
  const stream = await streamFromWriter(async ({ write }) => {
    for (; written < 20; written++) await write(PIECE)
  }, OPEN)
  await new Promise(resolve => setImmediate(resolve))
  expect(written).toBe(0)
  expect((await buffer(stream)).length).toBe(20 * PIECE.length)
  expect(written).toBe(20)
})

test('a reader who goes ends the work', async () => {
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
  expect(await ended.promise).toEqual(new Error('its reader has gone'))
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
    20,
  )
  await new Promise(resolve => stream.once('close', resolve))
  expect(stream.errored).toEqual(new Error('nobody takes the file'))
})

test('what goes wrong before the first byte is told as it is; after it the stream breaks off', async () => {
  const fault = new Error('the disk is gone')
  await expect(streamFromWriter(() => Promise.reject(fault), OPEN)).rejects.toBe(fault)
  const stream = await streamFromWriter(async ({ write }) => {
    await write(PIECE)
    throw fault
  }, OPEN)
  await expect(buffer(stream)).rejects.toBe(fault)
})

test('nothing at all is an empty stream', async () => {
  expect(await buffer(await streamFromWriter(async () => {}, OPEN))).toEqual(Buffer.alloc(0))
})
