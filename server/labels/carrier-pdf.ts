/**
 * Merges carrier labels into one PDF in the given order: pages unchanged, images on a page of their
 * own. One label at a time is in memory, and an unreadable one is left out.
 */
import { PRODUCT } from '#contract/product.ts'
import type { LabelMime } from '#server/carriers/port.ts'
import { yieldToOthers } from '#server/platform/process/turns.ts'
import type { Sink } from '#server/platform/storage/port.ts'
import { PAGE } from './layout.ts'
import { PageCopier } from './merge/page-copier.ts'
import type { PageForm } from './merge/page-copier.ts'
import { PdfDocument } from './merge/pdf-document.ts'
import { UnreadableFileError } from './merge/pdf-syntax.ts'
import { toPdfImage } from './merge/png.ts'
import { PageTree } from './page-tree.ts'
import { PdfFile } from './pdf-objects.ts'
import { LABEL_SHAPE, placeOnHalf, LETTER_SIZE, mediaBox, transformOperator } from './sheet.ts'
import type { SheetHalf, Sheet } from './sheet.ts'

/** `key`: the caller's id of the label. */
export type CarrierLabelFile<K> = {
  key: K
  mime: LabelMime
  bytes: Uint8Array
}

export type MergeResult<K> = {
  pages: number
  bytes: number
  omitted: { key: K; problem: string }[]
}

/**
 * `omitted` has the broken labels with messages for the operator. `pages` is 0, and nothing is
 * written, if none could be read.
 */
export async function writeCarrierPdf<K>(
  labels: Iterable<CarrierLabelFile<K>> | AsyncIterable<CarrierLabelFile<K>>,
  sink: Sink,
  sheet: Sheet = { kind: '4x6' },
): Promise<MergeResult<K>> {
  const builder =
    sheet.kind === '4x6' ? new CarrierPdfBuilder() : new CarrierLetterPdfBuilder(sheet.first)
  const omitted: MergeResult<K>['omitted'] = []
  let bytes = 0
  const flush = async (all: boolean): Promise<void> => {
    const chunk = builder.file.drain(all)
    if (chunk === null) return
    bytes += chunk.length
    await sink.write(chunk)
  }
  for await (const label of labels) {
    try {
      builder.add(label)
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error
      omitted.push({ key: label.key, problem: error.message })
    }
    if (builder.tree.pages > 0) await flush(false)
    // An image may take a while.
    await yieldToOthers()
  }
  if (!builder.finish()) return { pages: 0, bytes: 0, omitted }
  await flush(true)
  return { pages: builder.tree.pages, bytes, omitted }
}

/** What is wrong with a label file; null if it can be printed. */
export function findLabelFileProblem({
  mime,
  bytes,
}: Pick<CarrierLabelFile<unknown>, 'mime' | 'bytes'>): string | null {
  if (mime === 'application/zpl') return null
  try {
    const copier = new PageCopier(new PdfFile())
    if (mime === 'image/png') toPdfImage(bytes)
    else {
      const document = new PdfDocument(bytes)
      for (const page of document.pages()) copier.form(document, page)
    }
    return null
  } catch (error) {
    if (error instanceof UnreadableFileError) return error.message
    throw error
  }
}

class CarrierPdfBuilder {
  readonly file = new PdfFile()
  readonly tree = new PageTree(this.file)
  readonly copier = new PageCopier(this.file)

  add({ mime, bytes }: Pick<CarrierLabelFile<unknown>, 'mime' | 'bytes'>): void {
    if (mime === 'application/pdf') {
      const document = new PdfDocument(bytes)
      // All pages or none: part of a label is useless.
      for (const entries of document.pages().map(page => this.copier.page(document, page)))
        this.tree.add(entries)
      return
    }
    const { id, box } = imageForm(this.copier, bytes)
    const content = this.copier.writeOnce('', Buffer.from('/L Do'))
    this.tree.add(
      `/MediaBox[${box.join(' ')}]/Resources<</XObject<</L ${id} 0 R>>>>/Contents ${content} 0 R`,
    )
  }

  /** Returns whether the file has pages. */
  finish(): boolean {
    if (this.tree.pages === 0) return false
    const catalog = this.file.reserve()
    const info = this.file.reserve()
    const pages = this.tree.finish('')
    this.file.objectStream([
      pages,
      {
        id: catalog,
        body: `<</Type/Catalog/Pages ${pages.id} 0 R/Lang(en-US)/ViewerPreferences<</PrintScaling/None>>>>`,
      },
      { id: info, body: `<</Title(Shipping labels)/Producer(${PRODUCT})>>` },
    ])
    this.file.finish(catalog, info)
    return true
  }
}

class CarrierLetterPdfBuilder extends CarrierPdfBuilder {
  #place: SheetHalf
  #onSheet: { form: PageForm; place: SheetHalf }[] = []

  constructor(first: SheetHalf) {
    super()
    this.#place = first
  }

  override add({ mime, bytes }: Pick<CarrierLabelFile<unknown>, 'mime' | 'bytes'>): void {
    const forms =
      mime === 'image/png' ? [imageForm(this.copier, bytes)] : pageForms(this.copier, bytes)
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
    const content = this.#onSheet
      .map(({ form, place }) => `q ${placeOnHalf(form, place)} /L${place} Do Q`)
      .join('\n')
    const names = this.#onSheet.map(({ form, place }) => `/L${place} ${form.id} 0 R`).join('')
    this.tree.add(
      `${mediaBox(LETTER_SIZE)}/Resources<</XObject<<${names}>>>>`
        + `/Contents ${this.file.stream(content)} 0 R`,
    )
    this.#onSheet = []
  }
}

const pageForms = (copier: PageCopier, bytes: Uint8Array): PageForm[] => {
  const document = new PdfDocument(bytes)
  return document.pages().map(page => copier.form(document, page))
}

/** An image scaled to a 4x6 page, upright. */
function imageForm(copier: PageCopier, bytes: Uint8Array): PageForm {
  const { width, height, entries, data } = toPdfImage(bytes)
  const picture = copier.writeOnce(entries, data)
  const isLandscape = width > height
  const [wide, high] = isLandscape ? [height, width] : [width, height]
  const scale = Math.min(PAGE.width / wide, PAGE.height / high)
  const [w, h] = [width * scale, height * scale]
  const [left, bottom] = [(PAGE.width - wide * scale) / 2, (PAGE.height - high * scale) / 2]
  const matrix = isLandscape ? [0, w, -h, 0, left + h, bottom] : [w, 0, 0, h, left, bottom]
  const id = copier.writeOnce(
    `/Type/XObject/Subtype/Form/BBox[${LABEL_SHAPE.box.join(' ')}]/Resources<</XObject<</I ${picture} 0 R>>>>`,
    Buffer.from(`q ${transformOperator(matrix)} /I Do Q`),
  )
  return { id, ...LABEL_SHAPE }
}
