/**
 * Parser for PDF objects (ISO 32000-1, 7.3) in untrusted files. Numbers and strings keep their
 * spelling, since they are only copied.
 */

/** A file that cannot be read; the message is for the operator. */
export class UnreadableFileError extends Error {}

/** A token kept as written: number, string, true, false, null. */
export type Atom = { atom: string }
export type Name = { name: string }
export type Ref = { ref: number; gen: number }
export type Dict = Map<string, Value>
export type Stream = { dict: Dict; data: Uint8Array }
export type Value = Atom | Name | Ref | Dict | Value[]

export const isDict = (value: unknown): value is Dict => value instanceof Map
export const isRef = (value: unknown): value is Ref =>
  typeof value === 'object' && value !== null && 'ref' in value
export const isName = (value: unknown): value is Name =>
  typeof value === 'object' && value !== null && 'name' in value
export const isStream = (value: unknown): value is Stream =>
  typeof value === 'object' && value !== null && 'dict' in value

/** A direct integer; undefined for anything else. */
export function toInteger(value: Value | undefined): number | undefined {
  if (!value || !('atom' in value) || !/^[+-]?\d{1,10}$/.test(value.atom)) return undefined
  return Number(value.atom)
}

/** A direct number; undefined for anything else. */
export function toReal(value: Value | undefined): number | undefined {
  if (!value || !('atom' in value) || !/^[+-]?(\d{1,10}(\.\d*)?|\.\d+)$/.test(value.atom))
    return undefined
  return Number(value.atom)
}

const MAX_DEPTH = 64
const MAX_ENTRIES = 200_000

const WHITE = new Set([0, 9, 10, 12, 13, 32])
const DELIMITERS = new Set([...'()<>[]{}/%'].map(char => char.charCodeAt(0)))
const isRegular = (byte: number | undefined): byte is number =>
  byte !== undefined && !WHITE.has(byte) && !DELIMITERS.has(byte)

const OPEN = '('.charCodeAt(0)
const CLOSE = ')'.charCodeAt(0)
const BACKSLASH = '\\'.charCodeAt(0)
const PERCENT = '%'.charCodeAt(0)
const NEWLINE = 10
const RETURN = 13

export class PdfReader {
  readonly bytes: Buffer
  at: number
  #values = 0

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.at = at
  }

  /** Skips white space and comments. */
  skipWhitespace(): void {
    for (let byte = this.bytes[this.at]; byte !== undefined; byte = this.bytes[this.at]) {
      if (WHITE.has(byte)) this.at++
      else if (byte === PERCENT) this.#toLineEnd()
      else return
    }
  }

  /** Consumes a keyword if it is next. */
  consumeIf(word: string): boolean {
    this.skipWhitespace()
    if (this.bytes.toString('latin1', this.at, this.at + word.length) !== word) return false
    this.at += word.length
    return true
  }

  /** The run of regular characters here; '' at a delimiter or the end. */
  word(): string {
    this.skipWhitespace()
    const from = this.at
    while (isRegular(this.bytes[this.at])) this.at++
    return this.bytes.toString('latin1', from, this.at)
  }

  value(depth = 0): Value {
    if (depth > MAX_DEPTH || ++this.#values > MAX_ENTRIES)
      throw new UnreadableFileError('its objects are nested too deep')
    this.skipWhitespace()
    const start = this.at
    switch (String.fromCharCode(this.bytes[start] ?? 0)) {
      case '/':
        return this.#name()
      case '(':
        return this.#text()
      case '[':
        return this.#list(depth)
      case '<':
        return this.bytes[start + 1] === this.bytes[start] ? this.#dict(depth) : this.#hex()
      default:
        return this.#atomOrRef()
    }
  }

  /** Any object, with its bytes if it is a stream. `lengthOf` resolves an indirect length. */
  object(lengthOf: (length: Value | undefined) => number | undefined): Value | Stream {
    const value = this.value()
    if (!isDict(value) || !this.consumeIf('stream')) return value
    if (this.bytes[this.at] === RETURN) this.at++
    if (this.bytes[this.at] === NEWLINE) this.at++
    const from = this.at
    const length = lengthOf(value.get('Length'))
    if (length !== undefined && length >= 0 && from + length <= this.bytes.length) {
      this.at = from + length
      if (this.consumeIf('endstream'))
        return { dict: value, data: this.bytes.subarray(from, from + length) }
    }
    // A length that does not lead to the end is wrong; the position of endstream counts.
    const end = this.bytes.indexOf('endstream', from, 'latin1')
    if (end < 0) throw new UnreadableFileError('a stream has no end')
    const before =
      this.bytes[end - 1] === NEWLINE
        ? this.bytes[end - 2] === RETURN
          ? 2
          : 1
        : this.bytes[end - 1] === RETURN
          ? 1
          : 0
    this.at = end + 'endstream'.length
    return { dict: value, data: this.bytes.subarray(from, Math.max(from, end - before)) }
  }

  #toLineEnd(): void {
    while (
      this.at < this.bytes.length
      && this.bytes[this.at] !== NEWLINE
      && this.bytes[this.at] !== RETURN
    )
      this.at++
  }

  #name(): Name {
    this.at++
    const from = this.at
    while (isRegular(this.bytes[this.at])) this.at++
    return { name: this.bytes.toString('latin1', from, this.at) }
  }

  #text(): Atom {
    const from = this.at
    let open = 0
    for (; this.at < this.bytes.length; this.at++) {
      const byte = this.bytes[this.at]
      if (byte === BACKSLASH) this.at++
      else if (byte === OPEN) open++
      else if (byte === CLOSE && --open === 0) {
        this.at++
        return { atom: this.bytes.toString('latin1', from, this.at) }
      }
    }
    throw new UnreadableFileError('a text has no end')
  }

  #hex(): Atom {
    const end = this.bytes.indexOf('>', this.at, 'latin1')
    const text = end < 0 ? '' : this.bytes.toString('latin1', this.at, end + 1)
    if (!/^<[0-9A-Fa-f\s]*>$/.test(text))
      throw new UnreadableFileError('a hexadecimal text is broken')
    this.at = end + 1
    return { atom: text }
  }

  #list(depth: number): Value[] {
    this.at++
    const list: Value[] = []
    while (!this.consumeIf(']')) list.push(this.value(depth + 1))
    return list
  }

  #dict(depth: number): Dict {
    this.at += 2
    const dict: Dict = new Map()
    while (!this.consumeIf('>>')) {
      const key = this.value(depth + 1)
      if (!isName(key)) throw new UnreadableFileError('a dictionary has a key that is no name')
      dict.set(key.name, this.value(depth + 1))
    }
    return dict
  }

  #atomOrRef(): Atom | Ref {
    const word = this.word()
    if (!/^([+-]?(\d+\.?\d*|\.\d+)|true|false|null)$/.test(word))
      throw new UnreadableFileError(`'${toPrintableAscii(word)}' is no object`)
    if (!/^\d{1,10}$/.test(word)) return { atom: word }
    const back = this.at
    const gen = this.word()
    if (/^\d{1,5}$/.test(gen) && this.consumeIf('R') && !isRegular(this.bytes[this.at]))
      return { ref: Number(word), gen: Number(gen) }
    this.at = back
    return { atom: word }
  }
}

/** Broken files may contain anything; messages show printable ASCII. */
const toPrintableAscii = (text: string): string => text.slice(0, 20).replace(/[^\x20-\x7e]/g, '?')
