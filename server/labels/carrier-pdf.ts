/**
 * Labels that carriers have made, as one PDF in the order given: pages as they came, pictures on a page of their own. One label at a
 * time is in memory, and one that cannot be read harms no other.
 */
import { PRODUCT } from '#contract/product.ts'
import type { Sink } from './files/port.ts'
import { Copier } from './merge/copy.ts'
import type { Box, Form } from './merge/copy.ts'
import { PdfDocument } from './merge/document.ts'
import { pictureOf } from './merge/png.ts'
import { BadPdf } from './merge/syntax.ts'
import { PageTree } from './page-tree.ts'
import { PdfFile } from './pdf-objects.ts'
import { PAGE } from './specimen.ts'

/** A label as it was kept. `key`: what the caller knows it by. */
export type CarrierPaper<K> = { key: K, mime: 'application/pdf' | 'image/png', bytes: Uint8Array }

/** How labels stand on paper: each on its own 4x6 page, or two on a Letter sheet of which the first may begin at the second place. */
export type Sheet = { kind: '4x6' } | { kind: 'letter', first: 1 | 2 }

export type Merged<K> = { pages: number, bytes: number, leftOut: { key: K, problem: string }[] }

const LABELS_A_PAUSE = 20

/**
 * Writes the labels. `leftOut` names those that are broken, in words for the operator. `pages` is 0, and nothing was written, when
 * none could be read.
 */
export async function writeCarrierPdf<K>(
  papers: Iterable<CarrierPaper<K>> | AsyncIterable<CarrierPaper<K>>, sink: Sink, sheet: Sheet = { kind: '4x6' },
): Promise<Merged<K>> {
  const stack = sheet.kind === '4x6' ? new Stack() : new Sheets(sheet.first)
  const leftOut: Merged<K>['leftOut'] = []
  let bytes = 0
  let read = 0
  const flush = async (all: boolean): Promise<void> => {
    const chunk = stack.file.take(all)
    if (chunk === null) return
    bytes += chunk.length
    await sink.write(chunk)
  }
  for await (const paper of papers) {
    try {
      stack.add(paper)
    } catch (error) {
      if (!(error instanceof BadPdf)) throw error
      leftOut.push({ key: paper.key, problem: error.message })
    }
    if (++read % LABELS_A_PAUSE !== 0) continue
    if (stack.tree.pages > 0) await flush(false)
    await new Promise(resolve => setImmediate(resolve))
  }
  if (!stack.finish()) return { pages: 0, bytes: 0, leftOut }
  await flush(true)
  return { pages: stack.tree.pages, bytes, leftOut }
}

/** Says what is wrong with a label's file, or null for one that can be printed. */
export function problemOf({ mime, bytes }: Pick<CarrierPaper<unknown>, 'mime' | 'bytes'>): string | null {
  try {
    const copier = new Copier(new PdfFile())
    if (mime === 'image/png') pictureOf(bytes)
    else {
      const document = new PdfDocument(bytes)
      for (const page of document.pages()) copier.form(document, page)
    }
    return null
  } catch (error) {
    if (error instanceof BadPdf) return error.message
    throw error
  }
}

class Stack {
  readonly file = new PdfFile()
  readonly tree = new PageTree(this.file)
  readonly copier = new Copier(this.file)

  add({ mime, bytes }: Pick<CarrierPaper<unknown>, 'mime' | 'bytes'>): void {
    if (mime === 'application/pdf') {
      const document = new PdfDocument(bytes)
      // All or none of them: half a label is no label.
      for (const entries of document.pages().map(page => this.copier.page(document, page))) this.tree.add(entries)
      return
    }
    const { id, box } = pictureForm(this.copier, bytes)
    const content = this.copier.once('', Buffer.from('/L Do'))
    this.tree.add(`/MediaBox[${box.join(' ')}]/Resources<</XObject<</L ${id} 0 R>>>>/Contents ${content} 0 R`)
  }

  /** Whether there is anything in it. */
  finish(): boolean {
    if (this.tree.pages === 0) return false
    const catalog = this.file.reserve()
    const info = this.file.reserve()
    const pages = this.tree.finish('')
    this.file.pack([
      pages,
      { id: catalog, body: `<</Type/Catalog/Pages ${pages.id} 0 R/Lang(en-US)/ViewerPreferences<</PrintScaling/None>>>>` },
      { id: info, body: `<</Title(Shipping labels)/Producer(${PRODUCT})>>` },
    ])
    this.file.finish(catalog, info)
    return true
  }
}

/** US Letter in points, held upright; its two halves take a label each, turned to lie across. */
const LETTER = { width: 612, height: 792 }
const LAID = { width: PAGE.height, height: PAGE.width }

class Sheets extends Stack {
  #place: 1 | 2
  #onSheet: { form: Form, place: 1 | 2 }[] = []

  constructor(first: 1 | 2) {
    super()
    this.#place = first
  }

  override add({ mime, bytes }: Pick<CarrierPaper<unknown>, 'mime' | 'bytes'>): void {
    const forms = mime === 'image/png' ? [pictureForm(this.copier, bytes)] : formsOf(this.copier, bytes)
    for (const form of forms) {
      this.#onSheet.push({ form, place: this.#place })
      if (this.#place === 2) this.#close()
      this.#place = this.#place === 1 ? 2 : 1
    }
  }

  override finish(): boolean {
    this.#close()
    return super.finish()
  }

  #close(): void {
    if (this.#onSheet.length === 0) return
    const content = this.#onSheet.map(({ form, place }) => `q ${laid(form, place).map(round).join(' ')} cm /L${place} Do Q`).join('\n')
    const names = this.#onSheet.map(({ form, place }) => `/L${place} ${form.id} 0 R`).join('')
    this.tree.add(`/MediaBox[0 0 ${LETTER.width} ${LETTER.height}]/Resources<</XObject<<${names}>>>>`
      + `/Contents ${this.file.stream(content)} 0 R`)
    this.#onSheet = []
  }
}

const formsOf = (copier: Copier, bytes: Uint8Array): Form[] => {
  const document = new PdfDocument(bytes)
  return document.pages().map(page => copier.form(document, page))
}

/** A picture that fills a 4x6 page as far as its shape allows, turned upright. */
function pictureForm(copier: Copier, bytes: Uint8Array): Form {
  const { width, height, entries, data } = pictureOf(bytes)
  const picture = copier.once(entries, data)
  const lies = width > height
  const [wide, high] = lies ? [height, width] : [width, height]
  const scale = Math.min(PAGE.width / wide, PAGE.height / high)
  const [w, h] = [width * scale, height * scale]
  const [left, bottom] = [(PAGE.width - wide * scale) / 2, (PAGE.height - high * scale) / 2]
  const matrix = lies ? [0, w, -h, 0, left + h, bottom] : [w, 0, 0, h, left, bottom]
  const box: Box = [0, 0, PAGE.width, PAGE.height]
  const id = copier.once(`/Type/XObject/Subtype/Form/BBox[${box.join(' ')}]/Resources<</XObject<</I ${picture} 0 R>>>>`,
    Buffer.from(`q ${matrix.map(round).join(' ')} cm /I Do Q`))
  return { id, box, turned: 0 }
}

/** The matrix that lays a form across one half of a Letter sheet, in its middle, smaller where it is larger than a label. */
function laid({ box: [left, bottom, right, top], turned }: Form, place: 1 | 2): number[] {
  const [width, height] = [right - left, top - bottom]
  const stands = (turned === 90 || turned === 270) === width > height
  // A quarter to the left for one that stands; how it is turned in its own file is added to that.
  const quarters = ((stands ? 1 : 0) - turned / 90 + 4) % 4
  const [wide, high] = quarters % 2 === 1 ? [height, width] : [width, height]
  const scale = Math.min(1, LAID.width / wide, LAID.height / high)
  const half = LETTER.height / 2
  const x = (LETTER.width - wide * scale) / 2
  const y = (half - high * scale) / 2 + (place === 1 ? half : 0)
  const [cos, sin] = [[1, 0], [0, 1], [-1, 0], [0, -1]][quarters]! as [number, number]
  const turn = ([px, py]: [number, number]): [number, number] => [scale * (cos * px - sin * py), scale * (sin * px + cos * py)]
  const corners = ([[left, bottom], [right, bottom], [left, top], [right, top]] as [number, number][]).map(turn)
  const least = (axis: 0 | 1): number => Math.min(...corners.map(corner => corner[axis]))
  return [scale * cos, scale * sin, -scale * sin, scale * cos, x - least(0), y - least(1)]
}

const round = (value: number): number => Math.round(value * 10_000) / 10_000
