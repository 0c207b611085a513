import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createBodyBudget } from './body-budget.ts'
import { growingMemory, heapMemory, receiveBody } from './receive.ts'

const MB = 1024 * 1024
/** A sender may pause for so long: a test that stands still is no slow sender. */
const PATIENT_MS = 900_000
const LIMITS = { process: 5 * MB, address: 4 * MB, user: 3 * MB }

function receive(stream: PassThrough, leastWithinMs: number) {
  const budget = createBodyBudget(LIMITS)
  const memory = growingMemory(64 * MB)
  const body = receiveBody(stream, {
    maxBytes: 64 * MB,
    contentLength: Number.NaN,
    memory,
    receipt: budget.open({ userId: 1, address: '192.0.2.1' }),
    leastWithinMs,
  })
  return { body, memory, budget }
}

test('a body in small pieces arrives whole, with and without its length', async () => {
  for (const contentLength of [Number.NaN, 10_000]) {
    const stream = new PassThrough()
    const memory = heapMemory(contentLength)
    const receipt = createBodyBudget(LIMITS).open({ userId: null, address: '192.0.2.1' })
    const rules = { maxBytes: MB, contentLength, memory, receipt, leastWithinMs: PATIENT_MS }
    const body = receiveBody(stream, rules)
    for (let n = 0; n < 10_000; n++) stream.write(String(n % 10))
    stream.end()
    expect((await body).toString()).toBe('0123456789'.repeat(1_000))
  }
})

test('a sender that stops is cut off, and its memory is free', async () => {
  const stream = new PassThrough()
  const { body, memory, budget } = receive(stream, 50)
  stream.write(Buffer.alloc(2 * MB))
  await expect(body).rejects.toMatchObject({
    code: 'body_incomplete',
    message: expect.stringContaining('less than 1 KB a second'),
  })
  expect([budget.levels(), memory.bytes().length]).toEqual([{ bodies: 0, bytes: 0 }, 0])
})

test('a sender that hangs up is forgotten at once', async () => {
  const stream = new PassThrough()
  const { body, memory, budget } = receive(stream, PATIENT_MS)
  stream.write(Buffer.alloc(2 * MB))
  await expect.poll(() => budget.levels().bytes).toBeGreaterThan(MB)
  stream.destroy()
  await expect(body).rejects.toMatchObject({ message: expect.stringContaining('cut off') })
  expect([budget.levels(), memory.bytes().length]).toEqual([{ bodies: 0, bytes: 0 }, 0])
})

test('what one user sends at once is bounded, then an address, then the process', async () => {
  const budget = createBodyBudget(LIMITS)
  const open = (userId: number, network = userId) =>
    budget.open({ userId, address: `192.0.2.${network}` })
  const first = open(1)
  first.add(2.5 * MB)
  expect(() => open(1).add(MB)).toThrow('You are already sending')
  expect(() => open(2, 1).add(2 * MB)).toThrow('Your network is already sending')
  const other = open(3)
  other.add(2 * MB)
  expect(() => open(4).add(MB)).toThrow('Too much is being sent to the server')
  // A sign-in and an order are small, and pass in any case.
  expect(() => open(5).add(10_000)).not.toThrow()
  first.close()
  first.close()
  expect(() => open(4).add(MB)).not.toThrow()
})

test('a third long body of one user has to wait', () => {
  const budget = createBodyBudget({ process: 50 * MB, address: 50 * MB, user: 50 * MB })
  const open = () => budget.open({ userId: 7, address: '192.0.2.7' })
  const [first, second] = [open(), open()]
  first.add(2 * MB)
  second.add(2 * MB)
  expect(() => open().add(2 * MB)).toThrow('Two long lists of yours are already being read')
  second.close()
  expect(() => open().add(2 * MB)).not.toThrow()
})

test('the rest of a refused body is read, so that its sender gets the answer', async () => {
  const stream = new PassThrough()
  const body = receiveBody(stream, {
    maxBytes: 10 * MB,
    contentLength: Number.NaN,
    memory: growingMemory(10 * MB),
    receipt: createBodyBudget(LIMITS).open({ userId: 1, address: '192.0.2.1' }),
    leastWithinMs: PATIENT_MS,
  })
  stream.write(Buffer.alloc(4 * MB))
  await expect(body).rejects.toMatchObject({ code: 'too_many_at_once', retryAfter: 10 })
  stream.write(Buffer.alloc(2 * MB))
  await expect.poll(() => stream.readableLength).toBe(0)
  expect(stream.destroyed).toBe(false)
  stream.write(Buffer.alloc(21 * MB))
  await expect.poll(() => stream.destroyed).toBe(true)
})
