/**
 * Reads the structure of a JSON body byte by byte while it arrives, so that a body that costs too
 * much to parse is refused before it is parsed, and a long list in it is found without parsing.
 * Exact for valid JSON; parsing refuses the rest.
 */
import { errorCodes } from 'fastify'
import { Refusal } from './refusal.ts'

/** Objects and lists in one another. The deepest body of the contract has three. */
export const MAX_DEPTH = 8

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
   * Continues up to byte `to` of `bytes`, which hold the body from its start. Throws Refusal
   * 'bad_request', what `tooManyItems` returns, and Fastify's error for invalid JSON.
   */
  scan(bytes: Uint8Array, to: number): void
  /** Null until its first bracket was seen. */
  list(): ListLocation | null
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

const invalidJson = (): Error => new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY()
const refuse = (text: string): Refusal => new Refusal('bad_request', text)

/** Without `rules` no list is looked for. */
export function createJsonScanner(rules: ListScanRules | null): JsonScanner {
  let at = 0
  let depth = 0
  let marks = 0
  let inString = false
  let isEscaped = false
  let isObject = false
  /** Within the outer object: the next string is a field's name. */
  let expectsName = false
  let nameStart = -1
  /** After the name of the list: its colon, then its value. */
  let expected: 'nothing' | 'colon' | 'value' = 'nothing'
  let wasNamed = false
  let list: ListLocation | null = null
  let inList = false
  let itemStart = 0
  let isItemEmpty = true
  let items = 0
  let pageStart = 0
  let pageItems = 0

  const itemName = (): string => `Entry ${(items + 1).toLocaleString('en-US')} of ${rules!.name}`

  function endName(bytes: Uint8Array, end: number): void {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + nameStart, end - nameStart).toString()
    nameStart = -1
    if (!rules || decodeName(text) !== rules.name) return
    if (text !== rules.name)
      throw refuse(`Write the name ${rules.name} without escapes such as \\u0041`)
    if (wasNamed) throw refuse(`${rules.name} occurs twice. Send it once`)
    wasNamed = true
    expected = 'colon'
  }

  function startList(): void {
    list = { from: at, to: 0, pages: [] }
    inList = true
    isItemEmpty = true
    itemStart = pageStart = at + 1
  }

  function endPage(): void {
    if (pageItems > 0) list!.pages.push({ from: pageStart, to: at, items: pageItems })
    pageStart = at + 1
    pageItems = 0
  }

  function checkItemSize(bytes: Uint8Array): void {
    const { maxItemBytes } = rules!
    if (at - itemStart <= maxItemBytes) return
    const size = `more than ${(maxItemBytes / 1024).toLocaleString('en-US')} KB`
    const field = lastFieldName(bytes.subarray(itemStart, itemStart + maxItemBytes))
    throw new Refusal(
      'bad_request',
      `${itemName()} has ${size}${field === undefined ? '' : `, most of it in ${field}`}`,
      field === undefined ? undefined : { [`${items + 1}.${field}`]: `has ${size}` },
    )
  }

  function endItem(bytes: Uint8Array): void {
    if (isItemEmpty) throw invalidJson()
    checkItemSize(bytes)
    if (++items > rules!.maxItems) throw rules!.tooManyItems()
    pageItems++
    itemStart = at + 1
    isItemEmpty = true
  }

  /** A comma or a closing bracket directly in the list. */
  function separateItems(byte: number, bytes: Uint8Array): void {
    if (byte === COMMA) {
      endItem(bytes)
      if (at - pageStart >= rules!.pageBytes || pageItems >= rules!.pageItems) endPage()
      return
    }
    // A brace does not end a list. Cut out, the parser would not see it.
    if (byte !== CLOSE_LIST) throw invalidJson()
    if (!isItemEmpty || items > 0) endItem(bytes)
    endPage()
    list!.to = at + 1
    inList = false
    depth--
  }

  function open(byte: number): void {
    if (++depth - (inList ? 2 : 0) > MAX_DEPTH)
      throw refuse(
        `${inList ? itemName() : 'The body'} is nested more than ${MAX_DEPTH} levels deep`,
      )
    if (depth === 1) isObject = byte === OPEN_OBJECT
    expectsName = depth === 1 && isObject
  }

  function handleMark(byte: number, bytes: Uint8Array): void {
    if (inList && depth === 2 && byte !== OPEN_LIST && byte !== OPEN_OBJECT)
      return separateItems(byte, bytes)
    if (!inList && ++marks > MAX_MARKS)
      throw refuse(
        `The body has more than ${MAX_MARKS.toLocaleString('en-US')} values. Send them in parts`,
      )
    if (byte === COMMA) expectsName = depth === 1 && isObject
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--
    else {
      if (inList) isItemEmpty = false
      open(byte)
    }
  }

  function handleByte(byte: number, bytes: Uint8Array): void {
    if (expected !== 'nothing' && !isSpace(byte)) {
      const isValue = expected === 'value'
      expected = !isValue && byte === COLON ? 'value' : 'nothing'
      if (isValue && byte === OPEN_LIST) {
        startList()
        depth++
        return
      }
    }
    if (byte === QUOTE) {
      inString = true
      if (expectsName) nameStart = at + 1
      expectsName = false
      isItemEmpty = false
    } else if (
      byte === COMMA
      || byte === OPEN_OBJECT
      || byte === CLOSE_OBJECT
      || byte === OPEN_LIST
      || byte === CLOSE_LIST
    )
      handleMark(byte, bytes)
    else if (isItemEmpty && !isSpace(byte)) isItemEmpty = false
  }

  return {
    list: () => list,
    scan(bytes, to) {
      for (; at < to; at++) {
        const byte = bytes[at]!
        if (!inString) handleByte(byte, bytes)
        else if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) {
          inString = false
          if (nameStart >= 0) endName(bytes, at)
        }
      }
      if (inList) checkItemSize(bytes)
    },
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
