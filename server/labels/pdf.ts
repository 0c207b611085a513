// Specimen labels as a PDF file: one page a label, in the order given. Whatever every page shares (paper size, fonts, the two
// static layers) is stored once, so that a page is little more than its own words and bars. The file is always drawn again
// from the stored labels, never patched, and the same labels give the same bytes.
import { PRODUCT } from '#contract/product.ts'
import type { Sink } from './files/port.ts'
import type { LabelPaper } from './paper.ts'
import { PdfFile } from './pdf-objects.ts'
import { GROUND, labelContent, MARKS, PAGE, SPECIMEN_TITLE } from './specimen.ts'

// Pages of one node of the page tree, and labels between two pauses: about 6 ms of work, so that others are served in between.
const PAGES_A_NODE = 200

/**
 * Writes one page a label and answers how much that was. Nothing is kept but the places of the objects, so the number of labels is
 * not limited by memory. Throws when there is no label, since a PDF without pages is no PDF, and for a live tracking number.
 */
export async function writeSpecimenPdf(
  labels: Iterable<LabelPaper> | AsyncIterable<LabelPaper>, sink: Sink,
): Promise<{ pages: number, bytes: number }> {
  const stack = new Stack()
  let bytes = 0
  const flush = async (all: boolean) => {
    const chunk = stack.file.take(all)
    if (chunk === null) return
    bytes += chunk.length
    await sink.write(chunk)
  }
  for await (const label of labels) {
    stack.add(label)
    if (stack.pages % PAGES_A_NODE !== 0) continue
    await flush(false)
    await new Promise(resolve => setImmediate(resolve))
  }
  stack.finish()
  await flush(true)
  return { pages: stack.pages, bytes }
}

/** A file of one label, about 2.3 KB. */
export function specimenPdf(label: LabelPaper): Buffer {
  const stack = new Stack()
  stack.add(label)
  stack.finish()
  return stack.file.take(true)!
}

type Node = { id: number, pages: { id: number, body: string }[] }

class Stack {
  pages = 0
  readonly file = new PdfFile()
  #root = this.file.reserve()
  #node: Node | null = null
  #nodes: { id: number, pages: number }[] = []

  add(label: LabelPaper): void {
    const content = this.file.stream(`/G Do ${labelContent(label)} /M Do`)
    this.#node ??= { id: this.file.reserve(), pages: [] }
    const { id, pages } = this.#node
    pages.push({ id: this.file.reserve(), body: `<</Type/Page/Parent ${id} 0 R/Contents ${content} 0 R>>` })
    this.pages++
    if (pages.length === PAGES_A_NODE) this.#closeNode()
  }

  finish(): void {
    if (this.pages === 0) throw new Error('A PDF needs at least one label')
    this.#closeNode()
    const catalog = this.file.reserve()
    const info = this.file.reserve()
    const resources = this.file.reserve()
    const bold = this.file.reserve()
    const regular = this.file.reserve()
    const fonts = `/Font<</B ${bold} 0 R/R ${regular} 0 R>>`
    const layer = `/Type/XObject/Subtype/Form/BBox[0 0 ${PAGE.width} ${PAGE.height}]/Resources<<${fonts}>>`
    const ground = this.file.stream(GROUND, layer)
    const marks = this.file.stream(MARKS, layer)
    const kids = this.#nodes.map(node => `${node.id} 0 R`).join(' ')
    this.file.pack([
      {
        id: this.#root,
        body: `<</Type/Pages/Count ${this.pages}/Kids[${kids}]/MediaBox[0 0 ${PAGE.width} ${PAGE.height}]/Resources ${resources} 0 R>>`,
      },
      { id: resources, body: `<<${fonts}/XObject<</G ${ground} 0 R/M ${marks} 0 R>>>>` },
      { id: bold, body: face('Helvetica-Bold') },
      { id: regular, body: face('Helvetica') },
      // Printed at its own size: a label that a viewer "fits to page" has bars of the wrong width.
      {
        id: catalog,
        body: `<</Type/Catalog/Pages ${this.#root} 0 R/Lang(en-US)/ViewerPreferences<</PrintScaling/None/DisplayDocTitle true>>>>`,
      },
      { id: info, body: `<</Title(${SPECIMEN_TITLE})/Producer(${PRODUCT})>>` },
    ])
    this.file.finish(catalog, info)
  }

  #closeNode(): void {
    if (this.#node === null) return
    const { id, pages } = this.#node
    const kids = pages.map(page => `${page.id} 0 R`).join(' ')
    const body = `<</Type/Pages/Parent ${this.#root} 0 R/Count ${pages.length}/Kids[${kids}]>>`
    this.file.pack([{ id, body }, ...pages])
    this.#nodes.push({ id, pages: pages.length })
    this.#node = null
  }
}

function face(name: string): string {
  return `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`
}
