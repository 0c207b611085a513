/**
 * A JSON body with one long list, such as 50,000 rows. Parsed as a whole it takes over three times
 * its bytes. Here the list stays as bytes outside the heap and is parsed by pages; errors in
 * invalid JSON are the same as in any other body.
 */
import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { errorCodes } from 'fastify'
import { yieldToOthers } from '#server/platform/process/turns.ts'
import type { BodyReceipt } from './body-budget.ts'
import { createJsonScanner } from './json-scan.ts'
import type { JsonScanner, ListPage } from './json-scan.ts'
import { growingMemory, receiveBody } from './receive.ts'
import { Refusal } from './refusal.ts'

/** Items in order. `pages` can be iterated repeatedly until the list is released. */
export type LongList = { readonly length: number; pages(): Iterable<readonly unknown[]> }

export const toLongList = (items: readonly unknown[]): LongList => ({
  length: items.length,
  pages: () => (items.length === 0 ? [] : [items]),
})

/** `list` is null when the body has no such list; `body` is complete then. */
export type LongBody = { body: unknown; list: LongList | null; release(): void }

export type LongListRules = {
  name: string
  maxItems: number
  tooManyItems: () => Refusal
  /**
   * Called with the fields that stand before the list, before any of it is kept. What it throws
   * refuses the body.
   */
  beforeList: (fields: Record<string, unknown>) => Promise<void>
}

/** `parse` throws for invalid JSON. `contentLength`: bytes by the header, or NaN. */
export type LongBodyOptions = {
  maxBytes: number
  contentLength: number
  parse: (text: string) => unknown
  receipt: BodyReceipt
  pageBytes?: number
}

/** The widest row has 5 KB. */
const MAX_ITEM_BYTES = 32 * 1024
/** Besides the list: 50,000 ids of replaced rows at their longest have 1.05 MB. */
const MAX_REST_BYTES = 1.25 * 1024 * 1024
/** Parsed at once: a few milliseconds. */
const PAGE_BYTES = 256 * 1024
const PAGE_ITEMS = 1_000

/**
 * Reads a body and cuts out its list; `body` has an empty list there. `release` frees the memory
 * without waiting for the garbage collector. Throws Refusal 413 and 400, and what
 * `rules`, `receipt` and `parse` throw.
 */
export async function readLongBody(
  stream: Readable,
  rules: LongListRules,
  options: LongBodyOptions,
): Promise<LongBody> {
  const { maxBytes, contentLength, parse, receipt, pageBytes = PAGE_BYTES } = options
  const scanner = createJsonScanner({
    ...rules,
    maxItemBytes: MAX_ITEM_BYTES,
    pageBytes,
    pageItems: PAGE_ITEMS,
  })
  const memory = growingMemory(contentLength <= maxBytes ? contentLength : maxBytes)
  const bytes = await receiveBody(stream, {
    maxBytes,
    contentLength,
    memory,
    receipt,
    onBytes: (soFar, chunk) => scanPart({ bytes: soFar, chunk }, scanner, rules, parse),
  })
  const release = (): void => {
    memory.release()
    receipt.close()
  }
  try {
    return { ...(await cutList(bytes, scanner, rules.name, parse)), release }
  } catch (error) {
    release()
    throw error
  }
}

/** A promise when the list begins. */
function scanPart(
  { bytes, chunk }: { bytes: Buffer; chunk: Buffer },
  scanner: JsonScanner,
  { name, beforeList }: LongListRules,
  parse: (text: string) => unknown,
): Promise<void> | undefined {
  const had = scanner.list()
  scanner.scan(bytes, chunk)
  const list = scanner.list()
  const inList = list ? (list.to || bytes.length) - list.from : 0
  if (bytes.length - inList > MAX_REST_BYTES) {
    throw new Refusal(
      'body_too_large',
      `Besides ${name}, the body may have at most ${MAX_REST_BYTES / 1024 / 1024} MB`,
    )
  }
  if (had || !list) return undefined
  const before = parse(`${bytes.toString('utf8', 0, list.from)}[]}`)
  return beforeList(before as Record<string, unknown>)
}

async function cutList(
  bytes: Buffer,
  scanner: JsonScanner,
  name: string,
  parse: (text: string) => unknown,
): Promise<Omit<LongBody, 'release'>> {
  const text = (from: number, to: number): string => {
    if (to > bytes.length) throw new Error('a long list was read after its memory was released')
    return bytes.toString('utf8', from, to)
  }
  const found = scanner.list()
  if (!found) {
    const whole = text(0, bytes.length)
    return { body: whole === '' ? undefined : parse(whole), list: null }
  }
  if (found.to === 0) throw new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY()
  const mark = randomUUID()
  const body = parse(`${text(0, found.from)}["${mark}"]${text(found.to, bytes.length)}`) as Record<
    string,
    unknown
  >
  if ((body[name] as unknown[] | null)?.[0] !== mark)
    throw new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY()
  body[name] = []
  const page = ({ from, to }: ListPage): unknown[] => parse(`[${text(from, to)}]`) as unknown[]
  let length = 0
  for (const one of found.pages) {
    length += page(one).length
    await yieldToOthers()
  }
  return { body, list: { length, pages: () => found.pages.values().map(page) } }
}
