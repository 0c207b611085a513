/**
 * A PDF file as objects with their offsets (ISO 32000-1, 7.5) and pages. For files made by
 * carriers.
 */
import { inflateSync } from 'node:zlib'
import {
  UnreadableFileError,
  isDict,
  isName,
  isRef,
  isStream,
  PdfReader,
  toInteger,
} from './pdf-syntax.ts'
import type { Dict, Stream, Value } from './pdf-syntax.ts'
import { unfilter } from './png-filters.ts'

const MAX_OBJECTS = 20_000
const MAX_TABLES = 64
const MAX_PAGES = 200
const MAX_TREE_DEPTH = 32
/** Limit for all decompressed parts together. */
const MAX_INFLATED_BYTES = 64 * 1024 * 1024

type ObjectLocation = { offset: number } | { container: number; index: number }

/** A page with inherited entries. */
export type PdfPage = {
  dict: Dict
  resources: Value | undefined
  box: Value | undefined
  rotate: Value | undefined
}

/**
 * Throws UnreadableFileError for a file that is broken, encrypted, or larger inside than any label.
 */
export class PdfDocument {
  readonly #bytes: Buffer
  readonly #places = new Map<number, ObjectLocation>()
  readonly #objects = new Map<number, Value | Stream>()
  readonly #containers = new Map<number, (Value | undefined)[]>()
  readonly #reading = new Set<number>()
  #root: Value | undefined
  #inflated = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const head = this.#bytes.subarray(0, 1024).indexOf('%PDF-', 0, 'latin1')
    if (head < 0) throw new UnreadableFileError('it does not begin like a PDF')
    try {
      this.#readTables()
      this.#pagesRoot()
    } catch (error) {
      if (error instanceof UnreadableFileError && error.message === ENCRYPTED_PROBLEM) throw error
      this.#findObjects()
    }
  }

  /** Follows a reference. A missing object is null (7.3.10). */
  resolve(value: Value | undefined): Value | Stream | undefined {
    let found: Value | Stream | undefined = value
    for (let hops = 0; isRef(found); hops++) {
      if (hops > 16) throw new UnreadableFileError('references run in a circle')
      found = this.object(found.ref)
    }
    return found
  }

  object(id: number): Value | Stream | undefined {
    const known = this.#objects.get(id)
    if (known !== undefined) return known
    const place = this.#places.get(id)
    if (!place || this.#reading.has(id)) return undefined
    this.#reading.add(id)
    try {
      const object =
        'offset' in place
          ? this.#objectAt(place.offset, id)
          : this.#packed(place.container)[place.index]
      if (object !== undefined) this.#objects.set(id, object)
      return object
    } finally {
      this.#reading.delete(id)
    }
  }

  pages(): PdfPage[] {
    const pages: PdfPage[] = []
    const seen = new Set<Value | Stream>()
    const walk = (value: Value | undefined, above: Omit<PdfPage, 'dict'>, depth: number): void => {
      const node = this.resolve(value)
      if (!isDict(node) || seen.has(node)) return
      seen.add(node)
      if (depth > MAX_TREE_DEPTH) throw new UnreadableFileError('its tree of pages is too deep')
      const own = {
        resources: node.get('Resources') ?? above.resources,
        box: node.get('CropBox') ?? node.get('MediaBox') ?? above.box,
        rotate: node.get('Rotate') ?? above.rotate,
      }
      const kids = this.resolve(node.get('Kids'))
      if (Array.isArray(kids)) for (const kid of kids) walk(kid, own, depth + 1)
      else if (pages.push({ dict: node, ...own }) > MAX_PAGES)
        throw new UnreadableFileError(`it has more than ${MAX_PAGES} pages`)
    }
    walk(this.#pagesRoot(), { resources: undefined, box: undefined, rotate: undefined }, 0)
    if (pages.length === 0) throw new UnreadableFileError('it has no pages')
    return pages
  }

  /** Decompressed bytes of a stream. Throws UnreadableFileError for filters other than Flate. */
  inflate({ dict, data }: Stream): Buffer {
    const filter = this.resolve(dict.get('Filter'))
    const filters =
      filter === undefined
        ? []
        : Array.isArray(filter)
          ? filter.map(one => this.resolve(one))
          : [filter]
    if (filters.length === 0) return Buffer.from(data)
    const [only, ...more] = filters
    if (more.length > 0 || !isName(only) || (only.name !== 'FlateDecode' && only.name !== 'Fl')) {
      throw new UnreadableFileError('a part of it is packed in a way that is not read here')
    }
    const room = MAX_INFLATED_BYTES - this.#inflated
    let bytes: Buffer
    try {
      bytes = inflateSync(data, { maxOutputLength: Math.max(1, room) })
    } catch {
      throw new UnreadableFileError('a compressed part is broken or too large')
    }
    this.#inflated += bytes.length
    return this.#unpredicted(bytes, this.resolve(dict.get('DecodeParms')))
  }

  #pagesRoot(): Value {
    const catalog = this.resolve(this.#root)
    const pages = isDict(catalog) ? catalog.get('Pages') : undefined
    if (!pages || !isDict(this.resolve(pages))) throw new UnreadableFileError('it has no pages')
    return pages
  }

  #readTables(): void {
    const tail = this.#bytes.lastIndexOf('startxref', this.#bytes.length, 'latin1')
    if (tail < 0) throw new UnreadableFileError('it has no table of objects')
    const waiting: (number | undefined)[] = [
      Number(new PdfReader(this.#bytes, tail + 'startxref'.length).word()),
    ]
    const read = new Set<number>()
    while (waiting.length > 0) {
      const at = waiting.shift()
      if (at === undefined || read.has(at)) continue
      if (
        !Number.isSafeInteger(at)
        || at < 0
        || at >= this.#bytes.length
        || read.size >= MAX_TABLES
      ) {
        throw new UnreadableFileError('its table of objects is not where it says')
      }
      read.add(at)
      const reader = new PdfReader(this.#bytes, at)
      const trailer = reader.consumeIf('xref') ? this.#readTable(reader) : this.#readTableStream(at)
      if (trailer.has('Encrypt')) throw new UnreadableFileError(ENCRYPTED_PROBLEM)
      this.#root ??= trailer.get('Root')
      waiting.push(toInteger(trailer.get('XRefStm')), toInteger(trailer.get('Prev')))
    }
  }

  #readTable(reader: PdfReader): Dict {
    while (!reader.consumeIf('trailer')) {
      const [first, count] = [reader.word(), reader.word()]
      if (!isCount(first) || !isCount(count)) throw brokenTable()
      for (let n = 0; n < Number(count); n++) {
        const offset = Number(reader.word())
        reader.word()
        const kind = reader.word()
        if (kind === 'n') this.#place(Number(first) + n, { offset })
        // A count that is too large leads past the last entry.
        else if (kind !== 'f') throw brokenTable()
      }
    }
    const trailer = reader.value()
    if (!isDict(trailer)) throw new UnreadableFileError('its table of objects has no end')
    return trailer
  }

  #readTableStream(at: number): Dict {
    const stream = this.#objectAt(at)
    if (!isStream(stream))
      throw new UnreadableFileError('its table of objects is not where it says')
    const { dict } = stream
    const widths = toNumbers(dict.get('W'))
    if (widths.length !== 3 || widths.some(width => width < 0 || width > 6)) throw brokenTable()
    const bytes = this.inflate(stream)
    const sections = dict.has('Index')
      ? toNumbers(dict.get('Index'))
      : [0, toInteger(dict.get('Size')) ?? 0]
    const field = (from: number, width: number): number =>
      width === 0 ? 0 : bytes.readUIntBE(from, width)
    const [a, b, c] = widths as [number, number, number]
    let from = 0
    for (let s = 0; s + 1 < sections.length; s += 2) {
      for (
        let n = 0;
        n < sections[s + 1]! && from + a + b + c <= bytes.length;
        n++, from += a + b + c
      ) {
        const kind = a === 0 ? 1 : field(from, a)
        const second = field(from + a, b)
        if (kind === 1) this.#place(sections[s]! + n, { offset: second })
        else if (kind === 2)
          this.#place(sections[s]! + n, { container: second, index: field(from + a + b, c) })
      }
    }
    return dict
  }

  /** The newest table is read first, so an existing entry stays. */
  #place(id: number, place: ObjectLocation): void {
    if (this.#places.size >= MAX_OBJECTS)
      throw new UnreadableFileError(`it has more than ${MAX_OBJECTS} objects`)
    if (!this.#places.has(id)) this.#places.set(id, place)
  }

  #objectAt(offset: number, id?: number): Value | Stream {
    const reader = new PdfReader(this.#bytes, offset)
    const number = Number(reader.word())
    reader.word()
    if (!reader.consumeIf('obj') || (id !== undefined && number !== id))
      throw new UnreadableFileError('an object is not where the table says')
    return reader.object(length =>
      toInteger(isRef(length) ? (this.resolve(length) as Value | undefined) : length),
    )
  }

  #packed(container: number): (Value | undefined)[] {
    const known = this.#containers.get(container)
    if (known) return known
    const stream = this.object(container)
    if (!isStream(stream)) throw new UnreadableFileError('packed objects are missing')
    const count = toInteger(stream.dict.get('N')) ?? 0
    const first = toInteger(stream.dict.get('First')) ?? 0
    if (count < 0 || count > MAX_OBJECTS)
      throw new UnreadableFileError(`it has more than ${MAX_OBJECTS} objects`)
    const bytes = this.inflate(stream)
    const head = new PdfReader(bytes)
    const offsets = Array.from({ length: count }, () => {
      head.word()
      return Number(head.word())
    })
    const objects = offsets.map(offset => new PdfReader(bytes, first + offset).value())
    this.#containers.set(container, objects)
    return objects
  }

  /** Rebuilds a broken table by scanning; the last object of a number counts. */
  #findObjects(): void {
    this.#places.clear()
    this.#objects.clear()
    this.#containers.clear()
    this.#root = undefined
    const text = this.#bytes.toString('latin1')
    if (/\/Encrypt\b/.test(text.slice(-4096))) throw new UnreadableFileError(ENCRYPTED_PROBLEM)
    for (const found of text.matchAll(/(?:^|[\r\n\s])(\d{1,9})\s+\d{1,5}\s+obj\b/g)) {
      const id = Number(found[1])
      if (this.#places.size >= MAX_OBJECTS)
        throw new UnreadableFileError(`it has more than ${MAX_OBJECTS} objects`)
      this.#places.set(id, { offset: found.index + found[0].indexOf(found[1]!) })
    }
    for (const id of this.#places.keys()) {
      const object = this.#tryObject(id)
      const type = isDict(object) ? object.get('Type') : undefined
      if (isName(type) && type.name === 'Catalog') this.#root = { ref: id, gen: 0 }
    }
    this.#pagesRoot()
  }

  #tryObject(id: number): Value | Stream | undefined {
    try {
      return this.object(id)
    } catch (error) {
      if (error instanceof UnreadableFileError) return undefined
      throw error
    }
  }

  /** Reverses PNG predictors. */
  #unpredicted(bytes: Buffer, parms: Value | Stream | undefined): Buffer {
    const predictor = isDict(parms) ? (toInteger(parms.get('Predictor')) ?? 1) : 1
    if (predictor === 1) return bytes
    if (predictor < 10 || !isDict(parms))
      throw new UnreadableFileError('a part of it is packed in a way that is not read here')
    const columns = toInteger(parms.get('Columns')) ?? 1
    const depth =
      (toInteger(parms.get('Colors')) ?? 1) * (toInteger(parms.get('BitsPerComponent')) ?? 8)
    const row = Math.ceil((columns * depth) / 8)
    if (!(row > 0 && row <= bytes.length))
      throw new UnreadableFileError('a compressed part is broken or too large')
    return unfilter(bytes, row, Math.max(1, depth >> 3))
  }
}

const ENCRYPTED_PROBLEM = 'it is encrypted'

const brokenTable = (): UnreadableFileError =>
  new UnreadableFileError('its table of objects is broken')

const isCount = (word: string): boolean => /^\d{1,10}$/.test(word)

const toNumbers = (value: Value | undefined): number[] =>
  Array.isArray(value) ? value.map(one => toInteger(one) ?? -1) : []
