import type { PdfFile } from './pdf-objects.ts'

/**
 * Pages per node of the page tree, and labels between two pauses: about 6 ms of work, so that other
 * requests run in between.
 */
const PAGES_PER_NODE = 200

type PageTreeNode = { id: number; pages: { id: number; body: string }[] }

/** The page tree (ISO 32000-1, 7.7.3); nodes are written as soon as they are full. */
export class PageTree {
  pages = 0
  readonly root: number
  readonly #file: PdfFile
  #node: PageTreeNode | null = null
  #nodes: { id: number; pages: number }[] = []

  constructor(file: PdfFile) {
    this.#file = file
    this.root = file.reserve()
  }

  /** `entries` of the page besides type and parent. */
  add(entries: string): void {
    this.#node ??= { id: this.#file.reserve(), pages: [] }
    const { id, pages } = this.#node
    pages.push({ id: this.#file.reserve(), body: `<</Type/Page/Parent ${id} 0 R${entries}>>` })
    this.pages++
    if (pages.length === PAGES_PER_NODE) this.#closeNode()
  }

  /**
   * The root, to be written by the caller. `entries`: inherited by all pages. Throws without pages.
   */
  finish(entries: string): { id: number; body: string } {
    if (this.pages === 0) throw new Error('A PDF needs at least one label')
    this.#closeNode()
    const kids = this.#nodes.map(node => `${node.id} 0 R`).join(' ')
    return { id: this.root, body: `<</Type/Pages/Count ${this.pages}/Kids[${kids}]${entries}>>` }
  }

  #closeNode(): void {
    if (this.#node === null) return
    const { id, pages } = this.#node
    const kids = pages.map(page => `${page.id} 0 R`).join(' ')
    this.#file.objectStream([
      { id, body: `<</Type/Pages/Parent ${this.root} 0 R/Count ${pages.length}/Kids[${kids}]>>` },
      ...pages,
    ])
    this.#nodes.push({ id, pages: pages.length })
    this.#node = null
  }
}
