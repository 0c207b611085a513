/**
 * Receives a body under all its limits: size, budget, and a least speed. Memory is given back at
 * once when the caller hangs up or the body is refused.
 */
import type { Readable } from 'node:stream'
import type { BodyReceipt } from './body-budget.ts'
import { Refusal } from './refusal.ts'

/** A sender of less than this in each such time is cut off: 1 KB a second. */
const LEAST_BYTES = 15 * 1024
const LEAST_BYTES_WITHIN_MS = 15_000

/** Collects chunks; `bytes` holds what has arrived from the start. */
export type BodyMemory = {
  append(chunk: Uint8Array): void
  bytes(): Buffer
  release(): void
}

export type ReceiveRules = {
  maxBytes: number
  /** By the header, or NaN. */
  contentLength: number
  memory: BodyMemory
  receipt: BodyReceipt
  /**
   * Called after each chunk with all bytes so far, and the chunk they end with. A promise pauses the sender; what it throws
   * refuses the body.
   */
  onBytes?: (bytes: Buffer, chunk: Buffer) => Promise<void> | undefined
  /** For tests. */
  leastWithinMs?: number
}

const tooLarge = (): Refusal => new Refusal('body_too_large', 'This is too large for one request')
const cutOff = (): Refusal =>
  new Refusal('body_incomplete', 'The request could not be read: it was cut off')
const tooSlow = (): Refusal =>
  new Refusal(
    'body_incomplete',
    'The request could not be read: it came in at less than 1 KB a second. Please try again with a better connection.',
  )

/**
 * All bytes of the body. Throws Refusal 413, 400, and what receipt and `onBytes`
 * throw; then memory and receipt are given back.
 */
export async function receiveBody(stream: Readable, rules: ReceiveRules): Promise<Buffer> {
  const { memory, receipt } = rules
  try {
    if (rules.contentLength > rules.maxBytes) throw tooLarge()
    await readAll(stream, rules)
    return memory.bytes()
  } catch (error) {
    memory.release()
    receipt.close()
    discardRest(stream, rules.maxBytes)
    throw error
  }
}

function readAll(stream: Readable, rules: ReceiveRules): Promise<void> {
  const { maxBytes, memory, receipt, onBytes, leastWithinMs = LEAST_BYTES_WITHIN_MS } = rules
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let length = 0
  let timedFrom = 0
  let isPaused = false
  const timer = setInterval(() => {
    if (!isPaused && length - timedFrom < LEAST_BYTES) reject(tooSlow())
    timedFrom = length
  }, leastWithinMs)
  const onData = (chunk: Buffer): void => {
    try {
      length += chunk.length
      if (length > maxBytes) throw tooLarge()
      receipt.add(chunk.length)
      memory.append(chunk)
      const pending = onBytes?.(memory.bytes(), chunk)
      if (!pending) return
      isPaused = true
      stream.pause()
      pending.then(() => {
        isPaused = false
        stream.resume()
      }, reject)
    } catch (error) {
      reject(error as Error)
    }
  }
  const onCut = (): void => reject(cutOff())
  const listeners = [
    ['data', onData],
    ['end', () => resolve()],
    ['error', onCut],
    ['close', onCut],
  ] as const
  for (const [event, listener] of listeners) stream.on(event, listener)
  if (stream.destroyed) onCut()
  return promise.finally(() => {
    clearInterval(timer)
    for (const [event, listener] of listeners) stream.off(event, listener)
  })
}

/**
 * The connection carries the response, and further requests, so the rest of a refused body is read
 * and forgotten, also when it is up to twice as long as allowed. An endless one ends the connection.
 */
function discardRest(stream: Readable, maxBytes: number): void {
  let discarded = 0
  stream.on('error', () => {})
  stream.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > 2 * maxBytes) stream.destroy()
  })
  stream.resume()
}

/** For short bodies: on the heap, doubled as it fills. */
export function heapMemory(contentLength: number): BodyMemory {
  let buffer: Buffer = Buffer.alloc(0)
  let length = 0
  return {
    append(chunk) {
      if (length === 0 && chunk.length === contentLength)
        buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
      else {
        if (length + chunk.length > buffer.length)
          buffer = Buffer.concat([buffer], Math.max(4_096, 2 * (length + chunk.length)))
        buffer.set(chunk, length)
      }
      length += chunk.length
    },
    bytes: () => buffer.subarray(0, length),
    release() {
      buffer = Buffer.alloc(0)
      length = 0
    },
  }
}

const GROWTH_BYTES = 1024 * 1024

/** For long bodies: outside the heap, in one piece that grows in place. Bytes must not be used after `release`. */
export function growingMemory(maxBytes: number): BodyMemory {
  const memory = new ArrayBuffer(0, { maxByteLength: maxBytes })
  const view = new Uint8Array(memory)
  let length = 0
  return {
    append(chunk) {
      if (length + chunk.length > memory.byteLength)
        memory.resize(Math.min(maxBytes, length + chunk.length + GROWTH_BYTES))
      view.set(chunk, length)
      length += chunk.length
    },
    bytes: () => Buffer.from(memory, 0, length),
    release() {
      memory.resize(0)
      length = 0
    },
  }
}
