/**
 * How many bytes of answers may wait in memory for their readers. A caller can ask for many at
 * once, also on one connection, and read none of them.
 */
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Refusal } from './refusal.ts'
import { networkOf } from './request-limits.ts'

const MB = 1024 * 1024
/** `caller`: of one user, or before the sign-in of one network. */
export type UnreadLimits = { caller: number; process: number; idleMs: number }
const UNREAD_LIMITS: UnreadLimits = { caller: 16 * MB, process: 96 * MB, idleMs: 2_000 }
/** Shorter answers, such as refusals, are counted and sent in any case. */
const SHORT_BYTES = 16 * 1024
const RETRY_SECONDS = 5

type Unread = { caller: string; bytes: number; since: number; socket: Socket }

/**
 * Counts answers until the operating system has them. Beyond a limit the connection with the oldest
 * is ended, if that is older than `idleMs`; if not, a long answer is refused with 429.
 */
export function limitUnreadAnswers(app: FastifyInstance, limits = UNREAD_LIMITS): void {
  const unread = new UnreadAnswers(limits)
  app.addHook('onSend', async (request, reply, payload) => {
    const bytes = bytesInMemory(payload)
    if (bytes === 0) return
    const { caller, ip } = request
    const key = caller ? `user ${caller.userId}` : `address ${networkOf(ip)}`
    const hasRoom = unread.makeRoom(key, bytes)
    // A call that has changed something is told its result.
    if (!hasRoom && bytes > SHORT_BYTES && request.method === 'GET') throw tooMuchUnread()
    const { socket } = request.raw
    const answer = { caller: key, bytes, since: performance.now(), socket }
    unread.add(answer)
    for (const event of ['finish', 'close']) reply.raw.once(event, () => unread.delete(answer))
  })
}

const tooMuchUnread = (): Refusal =>
  new Refusal(
    'too_many_at_once',
    'Too many responses to you are still unread. Read them before you send more requests.',
    { retryAfter: RETRY_SECONDS },
  )

const sharedBuffers = new WeakSet<Buffer>()

/** For answers that all callers share, such as pages: they are in memory once and do not count. */
export const shareBuffer = (buffer: Buffer): void => void sharedBuffers.add(buffer)

/** Streams have limits of their own. */
function bytesInMemory(payload: unknown): number {
  if (typeof payload === 'string') return payload.length
  return Buffer.isBuffer(payload) && !sharedBuffers.has(payload) ? payload.length : 0
}

class UnreadAnswers {
  readonly #limits: UnreadLimits
  readonly #bytesOf = new Map<string, number>()
  /** By connection, since answers that wait behind another one do not learn of its end. */
  readonly #open = new Map<Socket, Set<Unread>>()
  #bytes = 0

  constructor(limits: UnreadLimits) {
    this.#limits = limits
  }

  add(answer: Unread): void {
    const { caller, bytes, socket } = answer
    if (socket.destroyed) return
    let answers = this.#open.get(socket)
    if (!answers) {
      this.#open.set(socket, (answers = new Set()))
      socket.once('close', () => this.#deleteAll(socket))
    }
    answers.add(answer)
    this.#bytes += bytes
    this.#bytesOf.set(caller, (this.#bytesOf.get(caller) ?? 0) + bytes)
  }

  delete(answer: Unread): void {
    if (!this.#open.get(answer.socket)?.delete(answer)) return
    this.#bytes -= answer.bytes
    const left = this.#bytesOf.get(answer.caller)! - answer.bytes
    if (left === 0) this.#bytesOf.delete(answer.caller)
    else this.#bytesOf.set(answer.caller, left)
  }

  /** False if too much waits that was asked for a moment ago. */
  makeRoom(caller: string, bytes: number): boolean {
    for (;;) {
      const isTooMuchOfCaller = (this.#bytesOf.get(caller) ?? 0) + bytes > this.#limits.caller
      if (!isTooMuchOfCaller && this.#bytes + bytes <= this.#limits.process) return true
      const oldest = this.#oldest(isTooMuchOfCaller ? caller : null)
      if (!oldest || performance.now() - oldest.since < this.#limits.idleMs) return false
      oldest.socket.destroy()
      this.#deleteAll(oldest.socket)
    }
  }

  /** `caller` null: of all. */
  #oldest(caller: string | null): Unread | undefined {
    let oldest: Unread | undefined
    for (const answers of this.#open.values())
      for (const answer of answers)
        if (
          (caller === null || answer.caller === caller)
          && (!oldest || answer.since < oldest.since)
        )
          oldest = answer
    return oldest
  }

  #deleteAll(socket: Socket): void {
    for (const answer of this.#open.get(socket) ?? []) this.delete(answer)
    this.#open.delete(socket)
  }
}
