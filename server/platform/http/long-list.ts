/**
 * A body of JSON with one long list in it, 50,000 rows of a file: read as an object it is three times its bytes and more, and all of it
 * at once. Here the list stays the bytes that came, outside the heap, and is read a page at a time, as often as one likes. What is no
 * JSON, or forbidden in it, is told as it is for every other body: a list is sound if each of its pages is.
 */
import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { errorCodes } from 'fastify'
import { Refusal } from './refusal.ts'

/** Items in their order. `pages` may be asked for as often as one likes, until whatever holds the list is done. */
export type LongList = { readonly length: number; pages(): Iterable<readonly unknown[]> }

/** A list that is in memory anyway, as one page. */
export const toLongList = (items: readonly unknown[]): LongList => ({
  length: items.length,
  pages: () => (items.length === 0 ? [] : [items]),
})

/** `list` is null where the body has none under that name, or not in a form that can be cut out: `body` is whole then. */
export type LongBody = { body: unknown; list: LongList | null; release(): void }

/** `parse`: text to value, throwing for what is no JSON. `most`: bytes of a body; `declared`: what its header says, or NaN. */
export type LongBodyOptions = {
  maxBytes: number
  contentLength: number
  parse: (text: string) => unknown
  pageBytes?: number
}

/**
 * Reads a body and keeps its list `name` out of it; there `body` has an empty one. `release` gives the memory back at once instead of
 * with the next collection of old garbage. Throws Refusal 'too_large' for a body beyond `most`, and what `parse` throws.
 */
export async function readLongBody(
  stream: Readable,
  name: string,
  rules: LongBodyOptions,
): Promise<LongBody> {
  const { maxBytes, contentLength, parse, pageBytes = PAGE_BYTES } = rules
  const { bytes, release } = await readBytes(stream, maxBytes, contentLength)
  const text = (from: number, to: number): string => {
    if (to > bytes.length)
      throw new Error('a long list was read after its memory had been given back')
    return bytes.toString('utf8', from, to)
  }
  const cut = await locateList(bytes, name, pageBytes)
  // Stands where the list was. Where a second list of that name follows, it is not there any more: the last one counts.
  const mark = randomUUID()
  const body =
    cut
    && (parse(`${text(0, cut.from)}["${mark}"]${text(cut.to, bytes.length)}`) as Record<
      string,
      unknown
    >)
  if (!cut || !body || (body[name] as unknown[] | null)?.[0] !== mark) {
    const whole = text(0, bytes.length)
    release()
    return { body: whole === '' ? undefined : parse(whole), list: null, release }
  }
  body[name] = []
  const page = ([from, to]: ByteRange): unknown[] => parse(`[${text(from, to)}]`) as unknown[]
  let length = 0
  for (const stretch of cut.pages) {
    const items = page(stretch).length
    if (items === 0 && cut.pages.length > 1) throw new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY()
    length += items
    // Others are served between two pages.
    await turn()
  }
  return { body, list: { length, pages: () => cut.pages.values().map(page) }, release }
}

const GROWTH_BYTES = 1024 * 1024

/** The stream's bytes in one piece that grows where it is: a list of chunks put together would be there twice. */
async function readBytes(
  stream: Readable,
  most: number,
  declared: number,
): Promise<{ bytes: Buffer; release(): void }> {
  const tooLarge = (): Refusal =>
    new Refusal('too_large', 'This is too large to be sent in one piece')
  if (declared > most) throw tooLarge()
  const room = new ArrayBuffer(0, { maxByteLength: declared >= 0 ? declared : most })
  const view = new Uint8Array(room)
  let length = 0
  try {
    // Not destroyed when it is too long: the connection still carries the answer.
    for await (const chunk of stream.iterator({
      destroyOnReturn: false,
    }) as AsyncIterable<Buffer>) {
      if (length + chunk.length > room.maxByteLength) throw tooLarge()
      if (length + chunk.length > room.byteLength)
        room.resize(Math.min(room.maxByteLength, length + chunk.length + GROWTH_BYTES))
      view.set(chunk, length)
      length += chunk.length
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal('bad_request', 'The request could not be read: it broke off')
  }
  return { bytes: Buffer.from(room, 0, length), release: () => room.resize(0) }
}

/** From the first byte to behind the last. */
type ByteRange = readonly [from: number, to: number]

/** The list with its brackets, and what is between them in pages. */
type ListLocation = { from: number; to: number; pages: ByteRange[] }

/** Read at once: some hundred rows, a few milliseconds. */
const PAGE_BYTES = 512 * 1024

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const CLOSING_BRACKET = 0x5d

const isOpening = (byte: number | undefined): boolean => byte === 0x7b || byte === 0x5b
const isClosing = (byte: number | undefined): boolean => byte === 0x7d || byte === 0x5d
const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/**
 * Where the list of that name stands in an object, and where it can be read in pages; null where none is found. Exact for what is JSON;
 * of what is not, some part will not be read.
 */
async function locateList(
  bytes: Buffer,
  name: string,
  pageBytes: number,
): Promise<ListLocation | null> {
  const from = findList(bytes, name)
  if (from === null) return null
  const pages: ByteRange[] = []
  let depth = 0
  let begins = from + 1
  for (let at = begins; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (isOpening(byte)) depth++
    else if (isClosing(byte) && depth-- === 0) {
      // A brace ends no list. Cut out, it would not be seen any more.
      if (byte !== CLOSING_BRACKET) return null
      pages.push([begins, at])
      return { from, to: at + 1, pages }
    } else if (byte === COMMA && depth === 0 && at - begins >= pageBytes) {
      pages.push([begins, at])
      begins = at + 1
      // A list of 33 MB takes 0.2 s to go through.
      await turn()
    }
  }
  return null
}

/** The first opening bracket behind that name in the outermost object. */
function findList(bytes: Buffer, name: string): number | null {
  let depth = 0
  let isName = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      const end = endOfString(bytes, at)
      if (isName && depth === 1 && bytes.toString('latin1', at + 1, end) === name) {
        const colon = skipSpace(bytes, end + 1)
        const value = skipSpace(bytes, colon + 1)
        if (bytes[colon] === COLON && bytes[value] === 0x5b) return value
      }
      at = end
      isName = false
    } else if (isOpening(byte)) isName = ++depth === 1
    else if (isClosing(byte)) depth--
    else if (byte === COMMA) isName = depth === 1
  }
  return null
}

/** The closing quote of the text that begins at `at`. */
function endOfString(bytes: Buffer, at: number): number {
  for (let end = at + 1; end < bytes.length; end++) {
    if (bytes[end] === QUOTE) return end
    if (bytes[end] === BACKSLASH) end++
  }
  return bytes.length
}

function skipSpace(bytes: Buffer, at: number): number {
  let place = at
  while (isSpace(bytes[place])) place++
  return place
}
