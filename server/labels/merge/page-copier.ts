/**
 * Copies pages of other PDFs into ours. Stream bytes stay unchanged, objects get new numbers, and
 * content that many files share (logos, fonts) is stored once.
 */
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import type { PdfFile } from '#server/labels/pdf-objects.ts'
import type { PdfPage, PdfDocument } from './pdf-document.ts'
import { UnreadableFileError, isDict, isName, isRef, isStream, toReal } from './pdf-syntax.ts'
import type { Dict, Stream, Value } from './pdf-syntax.ts'

const MAX_DEPTH = 64

/** Points. */
export type BoundingBox = [left: number, bottom: number, right: number, top: number]

/** A page as a form XObject: its number, box, and rotation in degrees, clockwise. */
export type PageForm = { id: number; box: BoundingBox; rotation: 0 | 90 | 180 | 270 }

/** One per output file, for all documents copied into it. */
export class PageCopier {
  readonly #file: PdfFile
  /** Hash of an object's bytes → its number in the output. */
  readonly #written = new Map<string, number>()

  constructor(file: PdfFile) {
    this.#file = file
  }

  /**
   * The entries of a page object. Annotations, links and form fields are dropped. Throws
   * UnreadableFileError.
   */
  page(document: PdfDocument, page: PdfPage): string {
    const copy = this.#of(document)
    const box = parseBox(document, page.box)
    const entry = (key: string, value: Value | undefined): string =>
      value === undefined ? '' : `/${key} ${copy(value)}`
    return (
      `/MediaBox[${box.join(' ')}]${entry('Rotate', page.rotate)}${entry('Resources', page.resources ?? new Map())}`
      + entry('Contents', page.dict.get('Contents'))
      + entry('Group', page.dict.get('Group'))
    )
  }

  /** A page as a form, to be placed on another page. Throws UnreadableFileError. */
  form(document: PdfDocument, page: PdfPage): PageForm {
    const copy = this.#of(document)
    const box = parseBox(document, page.box)
    const head =
      `/Type/XObject/Subtype/Form/BBox[${box.join(' ')}]/Resources ${copy(page.resources ?? new Map())}`
      + (page.dict.has('Group') ? `/Group ${copy(page.dict.get('Group')!)}` : '')
    const content = document.resolve(page.dict.get('Contents'))
    const parts = (
      Array.isArray(content) ? content.map(part => document.resolve(part)) : [content]
    ).filter(isStream)
    const [only] = parts
    const packing = (stream: Stream): string =>
      ['Filter', 'DecodeParms']
        .map(key => (stream.dict.has(key) ? `/${key} ${copy(stream.dict.get(key)!)}` : ''))
        .join('')
    const id =
      only && parts.length === 1
        ? this.#once(head + packing(only), only.data)
        : this.#once(
            `${head}/Filter/FlateDecode`,
            deflateSync(
              Buffer.concat(parts.flatMap(part => [document.inflate(part), Buffer.from('\n')])),
            ),
          )
    return { id, box, rotation: parseRotation(document, page.rotate) }
  }

  /** Writes a stream once per content. */
  writeOnce(entries: string, data: Uint8Array): number {
    return this.#once(entries, data)
  }

  #once(entries: string, data: Uint8Array | null, id?: number): number {
    const write = (): number =>
      data ? this.#file.compressedStream(entries, data, id) : this.#file.object(entries, id)
    if (id !== undefined) return write()
    const sum = createHash('sha256')
      .update(entries)
      .update(data ? '\0' : '')
      .update(data ?? '')
      .digest('base64')
    const known = this.#written.get(sum)
    if (known !== undefined) return known
    const written = write()
    this.#written.set(sum, written)
    return written
  }

  /** Writes the value and everything it references. */
  #of(document: PdfDocument): (value: Value) => string {
    const copied = new Map<number, number>()
    const underWay = new Set<number>()
    let depth = 0

    const written = (value: Value): string => {
      if (isRef(value)) return reference(value.ref)
      if (isDict(value)) return `<<${entries(value)}>>`
      if (Array.isArray(value)) return `[${value.map(written).join(' ')}]`
      return isName(value) ? `/${value.name}` : value.atom
    }
    const entries = (dict: Dict, without?: string): string =>
      [...dict]
        .filter(
          ([key]) =>
            key !== without
            && key !== 'Parent'
            && key !== 'StructParent'
            && key !== 'StructParents',
        )
        .map(([key, value]) => `/${key} ${written(value)}`)
        .join('')
    const reference = (ref: number): string => {
      const known = copied.get(ref)
      if (known !== undefined) return `${known} 0 R`
      if (underWay.has(ref)) {
        // A cyclic reference: its number is needed before it is written.
        const id = this.#file.reserve()
        copied.set(ref, id)
        return `${id} 0 R`
      }
      const object = document.object(ref)
      if (object === undefined) return 'null'
      if (++depth > MAX_DEPTH) throw new UnreadableFileError('its objects are nested too deep')
      underWay.add(ref)
      const [body, data] = isStream(object)
        ? ([entries(object.dict, 'Length'), object.data] as const)
        : ([written(object), null] as const)
      underWay.delete(ref)
      depth--
      const id = this.#once(body, data, copied.get(ref))
      copied.set(ref, id)
      return `${id} 0 R`
    }
    return written
  }
}

function parseBox(document: PdfDocument, value: Value | undefined): BoundingBox {
  const list = document.resolve(value)
  const edges = Array.isArray(list)
    ? list.map(edge => toReal(document.resolve(edge) as Value | undefined))
    : []
  const [a, b, c, d] = edges
  if (
    a === undefined
    || b === undefined
    || c === undefined
    || d === undefined
    || edges.length !== 4
  )
    throw new UnreadableFileError('a page has no size')
  const box: BoundingBox = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]
  if (box[2] - box[0] < 1 || box[3] - box[1] < 1)
    throw new UnreadableFileError('a page has no size')
  return box
}

function parseRotation(document: PdfDocument, value: Value | undefined): PageForm['rotation'] {
  const turn = toReal(document.resolve(value) as Value | undefined) ?? 0
  const degrees = ((turn % 360) + 360) % 360
  return degrees === 90 || degrees === 180 || degrees === 270 ? degrees : 0
}
