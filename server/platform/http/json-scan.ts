/**
 * Reads the structure of a JSON body byte by byte while it arrives, so that a body that costs too
 * much to parse is refused before it is parsed, and a long list in it is found without parsing.
 * Exact for valid JSON; parsing refuses the rest.
 */
import { errorCodes } from 'fastify'
import { Refusal } from './refusal.ts'

/** Objects and lists in one another, where the endpoint sets no other limit. Most bodies have three. */
const MAX_DEPTH = 8

/** Braces, brackets and commas outside a long list: parsing them takes below 30 ms. */
const MAX_MARKS = 250_000

/** `name`: of the list that is cut out. The other limits hold for its items. */
export type ListScanRules = {
  name: string
  maxItems: number
  maxItemBytes: number
  tooManyItems: () => Refusal
  /** A page of items ends at whichever comes first. */
  pageBytes: number
  pageItems: number
}

/** `items` between the bytes `from` and `to`. */
export type ListPage = { from: number; to: number; items: number }

/** The list with its brackets. `to` is 0 until it has ended. */
export type ListLocation = { from: number; to: number; pages: ListPage[] }

export type JsonScanner = {
  /**
   * Reads `chunk`, the newest bytes, with which `bytes`, the body from its start, end. Throws Refusal 400, what `tooManyItems`
   * returns, and Fastify's error for invalid JSON.
   */
  scan(bytes: Uint8Array, chunk: Uint8Array): void
  /** Null until its first bracket was seen. */
  list(): ListLocation | null
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** The first byte from `at` on that ends or escapes. Most bytes of a body are in strings. */
function endOfText(bytes: Uint8Array, at: number): number {
  let end = at
  while (end < bytes.length && bytes[end] !== QUOTE && bytes[end] !== BACKSLASH) end++
  return end
}

const invalidJson = (): Error => new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY()
const refuse = (text: string): Refusal => new Refusal('body_malformed', text)

/** Without `rules` no list is looked for. `maxDepth`: of the body, and of each item of the list. */
export function createJsonScanner(
  rules: ListScanRules | null,
  maxDepth: number = MAX_DEPTH,
): JsonScanner {
  const structure = new StructureScan(rules, maxDepth)
  return { scan: (bytes, chunk) => structure.scan(bytes, chunk), list: () => structure.list }
}

class StructureScan {
  readonly #rules: ListScanRules | null
  readonly #maxDepth: number
  #at = 0
  #depth = 0
  #marks = 0
  #inString = false
  #isEscaped = false
  #isObject = false
  /** Within the outer object: the next string is a field's name. */
  #expectsName = false
  #nameStart = -1
  /** After the name of the list: its colon, then its value. */
  #expected: 'nothing' | 'colon' | 'value' = 'nothing'
  #wasNamed = false
  #items: ItemScan | null = null
  /** `#items` while the list has not ended. */
  #open: ItemScan | null = null

  constructor(rules: ListScanRules | null, maxDepth: number) {
    this.#rules = rules
    this.#maxDepth = maxDepth
  }

  get list(): ListLocation | null {
    return this.#items && this.#items.list
  }

  // Bytes are taken from the chunk: to read them in memory that can grow takes four times as long.
  scan(bytes: Uint8Array, chunk: Uint8Array): void {
    const before = bytes.length - chunk.length
    for (let next = 0; next < chunk.length; next++) {
      if (this.#inString && !this.#isEscaped) next = endOfText(chunk, next)
      if (next === chunk.length) break
      this.#at = before + next
      this.#readByte(chunk[next]!, bytes)
    }
    this.#open?.checkSize(bytes, bytes.length)
  }

  #readByte(byte: number, bytes: Uint8Array): void {
    if (!this.#inString) this.#readOutside(byte, bytes)
    else if (this.#isEscaped) this.#isEscaped = false
    else if (byte === BACKSLASH) this.#isEscaped = true
    else if (byte === QUOTE) {
      this.#inString = false
      if (this.#nameStart >= 0) this.#endName(bytes)
    }
  }

  #readOutside(byte: number, bytes: Uint8Array): void {
    if (this.#expected !== 'nothing' && !isSpace(byte) && this.#startsList(byte)) return
    if (byte === QUOTE) {
      this.#inString = true
      if (this.#expectsName) this.#nameStart = this.#at + 1
      this.#expectsName = false
      if (this.#open) this.#open.isEmpty = false
    } else if (
      byte === COMMA
      || byte === OPEN_OBJECT
      || byte === CLOSE_OBJECT
      || byte === OPEN_LIST
      || byte === CLOSE_LIST
    )
      this.#readMark(byte, bytes)
    else if (this.#open?.isEmpty && !isSpace(byte)) this.#open.isEmpty = false
  }

  #endName(bytes: Uint8Array): void {
    const from = this.#nameStart
    this.#nameStart = -1
    if (!this.#rules) return
    const written = Buffer.from(bytes.buffer, bytes.byteOffset + from, this.#at - from).toString()
    const { name } = this.#rules
    if (decodeName(written) !== name) return
    if (written !== name) throw refuse(`Write the name ${name} without escapes such as \\u0041`)
    if (this.#wasNamed) throw refuse(`${name} occurs twice. Send it once`)
    this.#wasNamed = true
    this.#expected = 'colon'
  }

  #startsList(byte: number): boolean {
    const isValue = this.#expected === 'value'
    this.#expected = !isValue && byte === COLON ? 'value' : 'nothing'
    if (!isValue || byte !== OPEN_LIST) return false
    this.#items = this.#open = new ItemScan(this.#rules!, this.#at)
    this.#depth++
    return true
  }

  #readMark(byte: number, bytes: Uint8Array): void {
    const items = this.#open
    if (items && this.#depth === 2 && byte !== OPEN_LIST && byte !== OPEN_OBJECT) {
      if (items.endsAt(byte, bytes, this.#at)) {
        this.#open = null
        this.#depth--
      }
      return
    }
    if (!items && ++this.#marks > MAX_MARKS)
      throw refuse(
        `The body has more than ${MAX_MARKS.toLocaleString('en-US')} values. Send them in parts`,
      )
    if (byte === COMMA) this.#expectsName = this.#depth === 1 && this.#isObject
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth--
    else this.#goDeeper(byte)
  }

  #goDeeper(byte: number): void {
    const items = this.#open
    if (items) items.isEmpty = false
    if (++this.#depth - (items ? 2 : 0) > this.#maxDepth)
      throw refuse(
        `${items ? items.name() : 'The body'} is nested more than ${this.#maxDepth} levels deep`,
      )
    if (this.#depth === 1) this.#isObject = byte === OPEN_OBJECT
    this.#expectsName = this.#depth === 1 && this.#isObject
  }
}

/** The items of the long list, and the pages they make. */
class ItemScan {
  readonly list: ListLocation
  /** Of the item being read: nothing of it was seen yet. */
  isEmpty = true
  readonly #rules: ListScanRules
  #count = 0
  #start: number
  #pageStart: number
  #pageItems = 0

  /** `at`: the opening bracket. */
  constructor(rules: ListScanRules, at: number) {
    this.#rules = rules
    this.list = { from: at, to: 0, pages: [] }
    this.#start = this.#pageStart = at + 1
  }

  name(): string {
    return `Entry ${(this.#count + 1).toLocaleString('en-US')} of ${this.#rules.name}`
  }

  /** A comma or a closing bracket directly in the list. */
  endsAt(byte: number, bytes: Uint8Array, at: number): boolean {
    const { pageBytes, pageItems } = this.#rules
    if (byte === COMMA) {
      this.#endItem(bytes, at)
      if (at - this.#pageStart >= pageBytes || this.#pageItems >= pageItems) this.#endPage(at)
      return false
    }
    // A brace does not end a list. Cut out, the parser would not see it.
    if (byte !== CLOSE_LIST) throw invalidJson()
    if (!this.isEmpty || this.#count > 0) this.#endItem(bytes, at)
    this.#endPage(at)
    this.list.to = at + 1
    return true
  }

  checkSize(bytes: Uint8Array, at: number): void {
    const { maxItemBytes } = this.#rules
    if (at - this.#start <= maxItemBytes) return
    const size = `more than ${(maxItemBytes / 1024).toLocaleString('en-US')} KB`
    const field = lastFieldName(bytes.subarray(this.#start, this.#start + maxItemBytes))
    throw new Refusal(
      'entry_too_large',
      `${this.name()} has ${size}${field === undefined ? '' : `, most of it in ${field}`}`,
      field === undefined
        ? {}
        : {
            fields: { [`${this.#count + 1}.${field}`]: { code: 'too_long', text: `has ${size}` } },
          },
    )
  }

  #endItem(bytes: Uint8Array, at: number): void {
    if (this.isEmpty) throw invalidJson()
    this.checkSize(bytes, at)
    if (++this.#count > this.#rules.maxItems) throw this.#rules.tooManyItems()
    this.#pageItems++
    this.#start = at + 1
    this.isEmpty = true
  }

  #endPage(at: number): void {
    if (this.#pageItems > 0)
      this.list.pages.push({ from: this.#pageStart, to: at, items: this.#pageItems })
    this.#pageStart = at + 1
    this.#pageItems = 0
  }
}

/** Where an item became too large, unless it is an unnamed value. */
const lastFieldName = (item: Uint8Array): string | undefined =>
  [
    ...Buffer.from(item)
      .toString('latin1')
      .matchAll(/"(\w{1,60})"\s*:/g),
  ].at(-1)?.[1]

/** Undefined for a name that no parser accepts. */
function decodeName(text: string): string | undefined {
  if (!text.includes('\\')) return text
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return undefined
  }
}
