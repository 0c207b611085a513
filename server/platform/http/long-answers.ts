/**
 * Answers that cost more than a page of a list: long lists, exports, label files. They are made a
 * part at a time, at the speed of their reader, and never as a whole in memory.
 */
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import * as z from 'zod'
import type { Endpoint, ResponseInput } from '#contract/endpoint.ts'
import { yieldToOthers } from '#server/platform/process/turns.ts'
import { openWorkSlots } from '#server/platform/process/work-slots.ts'
import type { WorkLimits } from '#server/platform/process/work-slots.ts'
import type { Sink } from '#server/platform/storage/port.ts'
import { streamFromWriter } from '#server/platform/storage/writer-stream.ts'
import { Refusal } from './refusal.ts'
import type { ApiRequest } from './router.ts'

/** Read and serialized at once: 200 orders take some 10 ms. A longer list is a long answer. */
export const ROWS_A_PAGE = 200
/** A caller who was signed out gets at most so many rows more. */
const ROWS_A_RECHECK = 1_000

/** Answers being made. One whose reader is slow does not count. */
export const MAKING_LIMITS: WorkLimits = {
  perUser: 2,
  total: 8,
  waitingPerUser: 8,
  waitingTotal: 1_000,
  patienceMs: 20_000,
}
/** Answers not yet sent, each with a buffer of 256 KB. */
export type SendingLimits = { perUser: number; total: number; idleMs: number }
const SENDING_LIMITS: SendingLimits = { perUser: 8, total: 64, idleMs: 2_000 }
const RETRY_AFTER_SECONDS = 10

type AnswerRequest = Pick<ApiRequest<Endpoint>, 'caller' | 'reply' | 'recheckAccess'>

/** `pages`: at most ROWS_A_PAGE items each, `count` in all. `wrap`: the response with these items. */
export type ListAnswer<E extends Endpoint, Item> = {
  count: number
  pages: AsyncIterable<Item[]>
  wrap: (items: Item[]) => ResponseInput<E>
  /** Of the list in the response; null if the response is the list. */
  listName: (keyof ResponseInput<E> & string) | null
}

export type LongAnswers = {
  /**
   * What `work` writes. Returns with the first bytes; throws what `work` throws before. Waits for
   * its turn: throws Refusal 429, 503.
   */
  stream(
    request: Pick<AnswerRequest, 'caller' | 'reply'>,
    work: (sink: Sink) => Promise<void>,
  ): Promise<Readable>
  /** Costly work whose result is small. Waits for its turn like `stream`. */
  run<T>(request: Pick<AnswerRequest, 'caller' | 'reply'>, work: () => Promise<T>): Promise<T>
  /** Short lists are returned whole. A longer one is sent as the same JSON. */
  list<E extends Endpoint, Item>(
    endpoint: E,
    request: AnswerRequest,
    answer: ListAnswer<E, Item>,
  ): Promise<ResponseInput<E> | FastifyReply>
}

/** `idleSince`: since when it waits for its reader; null while it is made. */
type Sending = { userId: number; idleSince: number | null; stream?: Readable }

export function openLongAnswers(
  closing: AbortSignal,
  making = MAKING_LIMITS,
  sending = SENDING_LIMITS,
): LongAnswers {
  const slots = openWorkSlots('long lists and files', making)
  const open = new Set<Sending>()

  const stream: LongAnswers['stream'] = async ({ caller: { userId }, reply }, work) => {
    const slot = await slots.acquire(userId, hangUpSignal(reply))
    const answer: Sending = { userId, idleSince: null }
    try {
      makeRoom(open, userId, sending)
      open.add(answer)
      const pause = (): void => {
        answer.idleSince = performance.now()
        slot.pause()
      }
      const resume = async (): Promise<void> => {
        await slot.resume()
        answer.idleSince = null
      }
      const end = (): void => {
        answer.idleSince = performance.now()
        slot.release()
      }
      answer.stream = await streamFromWriter(sink => work(sink).finally(end), closing, {
        slot: { pause, resume },
      })
      if (answer.stream.closed) open.delete(answer)
      else answer.stream.once('close', () => open.delete(answer))
      return answer.stream
    } catch (error) {
      slot.release()
      open.delete(answer)
      throw error
    }
  }

  return {
    stream,
    run: ({ caller, reply }, work) => slots.run(caller.userId, hangUpSignal(reply), work),
    async list(endpoint, request, answer) {
      if (answer.count > ROWS_A_PAGE)
        return request.reply
          .code(endpoint.status ?? 200)
          .type('application/json; charset=utf-8')
          .send(await stream(request, sink => writeList(endpoint, request, answer, sink)))
      const items = []
      for await (const page of answer.pages) items.push(...page)
      return answer.wrap(items)
    },
  }
}

/** The same JSON as of a whole response. */
async function writeList<E extends Endpoint, Item>(
  endpoint: E,
  { recheckAccess }: AnswerRequest,
  { pages, wrap, listName }: ListAnswer<E, Item>,
  sink: Sink,
): Promise<void> {
  const { head, tail } = envelopeOf(endpoint, wrap([]), listName)
  let before = head
  let unchecked = 0
  for await (const page of pages) {
    if (page.length === 0) continue
    await sink.write(Buffer.from(before + itemsText(endpoint, wrap(page), listName)))
    before = ','
    unchecked += page.length
    if (unchecked >= ROWS_A_RECHECK) {
      unchecked = 0
      await recheckAccess()
    }
    await yieldToOthers()
  }
  await sink.write(Buffer.from(before === head ? head + tail : tail))
}

/** `read` is called for `size` keys at a time. Keys given as a function are read with the first. */
export async function* pagesOf<Key, Item>(
  keys: readonly Key[] | (() => Promise<readonly Key[]>),
  read: (some: Key[]) => Promise<Item[]>,
  size = ROWS_A_PAGE,
): AsyncGenerator<Item[]> {
  const all = typeof keys === 'function' ? await keys() : keys
  for (let from = 0; from < all.length; from += size) yield await read(all.slice(from, from + size))
}

/** Pages of ROWS_A_PAGE items from larger chunks. */
export async function* cutPages<Item>(
  first: Item[],
  others: AsyncIterable<Item[]>,
): AsyncGenerator<Item[]> {
  yield* pagesOf(first, async some => some)
  for await (const chunk of others) yield* pagesOf(chunk, async some => some)
}

/** Aborted when the caller hangs up, and when the response has ended. */
export function hangUpSignal(reply: FastifyReply): AbortSignal {
  const hungUp = new AbortController()
  reply.raw.once('close', () => hungUp.abort())
  return hungUp.signal
}

/** Gives up the reader that has read nothing for longest rather than refuse an answer. */
function makeRoom(open: Set<Sending>, userId: number, limits: SendingLimits): void {
  const own = [...open].filter(answer => answer.userId === userId)
  const isFull = own.length >= limits.perUser
  if (!isFull && open.size < limits.total) return
  const longestIdle = (isFull ? own : [...open])
    .filter(({ stream, idleSince }) => stream && idleSince !== null)
    .sort((a, b) => a.idleSince! - b.idleSince!)[0]
  if (longestIdle && performance.now() - longestIdle.idleSince! >= limits.idleMs) {
    open.delete(longestIdle)
    longestIdle.stream!.destroy(new Error('the reader stopped reading, and others wait'))
    return
  }
  throw isFull
    ? new Refusal(
        'too_many_at_once',
        `${limits.perUser} long lists and files are already being sent to you. Please wait until one of them is complete.`,
        { retryAfter: RETRY_AFTER_SECONDS },
      )
    : new Refusal(
        'busy',
        'Many long lists and files are being sent right now. Please try again in a moment.',
        { retryAfter: RETRY_AFTER_SECONDS },
      )
}

type Response = ResponseInput<Endpoint>

const encode = (endpoint: Endpoint, response: Response): unknown =>
  z.encode(endpoint.response as z.ZodType<unknown, unknown>, response)

function itemsText(endpoint: Endpoint, response: Response, listName: string | null): string {
  const encoded = encode(endpoint, response)
  const items = listName === null ? encoded : (encoded as Record<string, unknown>)[listName]
  return JSON.stringify(items).slice(1, -1)
}

/** The JSON before and after the items. */
function envelopeOf(
  endpoint: Endpoint,
  response: Response,
  listName: string | null,
): { head: string; tail: string } {
  if (listName === null) return { head: '[', tail: ']' }
  const text = JSON.stringify(encode(endpoint, response))
  const at = text.indexOf(`"${listName}":[]`) + `"${listName}":[`.length
  return { head: text.slice(0, at), tail: text.slice(at) }
}
