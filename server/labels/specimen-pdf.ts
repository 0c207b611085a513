// Specimens as a PDF, in order: one page per label, or two on a Letter sheet. Everything pages
// share (size, fonts, two static layers) is stored once. Files are always rebuilt from stored
// labels, and the same labels give the same bytes.
import type { Sink } from '#server/platform/storage/port.ts'
import type { LabelData } from './label-data.ts'
import { PAGE, SPECIMEN_TITLE } from './layout.ts'
import { PageTree } from './page-tree.ts'
import { finishPdf } from './pdf-finish.ts'
import { PdfFile } from './pdf-objects.ts'
import { LABEL_SHAPE, placeOnHalf, LETTER_SIZE, SHEET_HALVES } from './sheet.ts'
import type { SheetHalf, Sheet } from './sheet.ts'
import { GROUND_LAYER, specimenContent, MARKS_LAYER } from './specimen.ts'

/** 2 ms of work, then other requests run: a single label beside it needs about a dozen turns. */
const LABELS_PER_TURN = 50

/**
 * `pages` are sheets. Memory holds object offsets only, so the number of labels is unlimited.
 * Throws without labels, and for a live tracking number.
 */
export async function writeSpecimenPdf(
  labels: Iterable<LabelData> | AsyncIterable<LabelData>,
  sink: Sink,
  sheet: Sheet = { kind: '4x6' },
): Promise<{ pages: number; bytes: number }> {
  const stack =
    sheet.kind === '4x6' ? new SpecimenPdfBuilder() : new SpecimenLetterPdfBuilder(sheet.first)
  let bytes = 0
  let drawn = 0
  const flush = async (all: boolean) => {
    const chunk = stack.file.drain(all)
    if (chunk === null) return
    bytes += chunk.length
    await sink.write(chunk)
  }
  for await (const label of labels) {
    stack.add(label)
    if (++drawn % LABELS_PER_TURN !== 0) continue
    await flush(false)
    await new Promise(resolve => setImmediate(resolve))
  }
  stack.finish()
  await flush(true)
  return { pages: stack.pages, bytes }
}

/** About 2.3 KB. */
export function specimenPdf(label: LabelData): Buffer {
  const stack = new SpecimenPdfBuilder()
  stack.add(label)
  stack.finish()
  return stack.file.drain(true)!
}

class SpecimenPdfBuilder {
  readonly file = new PdfFile()
  readonly #paper: { width: number; height: number }
  readonly #tree = new PageTree(this.file)

  constructor(paper = PAGE) {
    this.#paper = paper
  }

  get pages(): number {
    return this.#tree.pages
  }

  add(label: LabelData): void {
    this.page(labelLayers(label))
  }

  page(content: string): void {
    this.#tree.add(`/Contents ${this.file.stream(content)} 0 R`)
  }

  finish(): void {
    finishPdf(this.file, this.#tree, {
      pageSize: this.#paper,
      title: SPECIMEN_TITLE,
      layers: { G: GROUND_LAYER, M: MARKS_LAYER },
    })
  }
}

// Two labels per sheet, each as on a page of its own; their positions are the same on every sheet.
const HALF_TRANSFORMS = SHEET_HALVES.map(place => placeOnHalf(LABEL_SHAPE, place))

class SpecimenLetterPdfBuilder extends SpecimenPdfBuilder {
  #place: SheetHalf
  #content = ''

  constructor(first: SheetHalf) {
    super(LETTER_SIZE)
    this.#place = first
  }

  override add(label: LabelData): void {
    this.#content += `q ${HALF_TRANSFORMS[this.#place - 1]!} ${labelLayers(label)} Q `
    if (this.#place === 2) this.#close()
    this.#place = this.#place === 1 ? 2 : 1
  }

  override finish(): void {
    this.#close()
    super.finish()
  }

  #close(): void {
    if (this.#content !== '') this.page(this.#content)
    this.#content = ''
  }
}

function labelLayers(label: LabelData): string {
  return `/G Do ${specimenContent(label)} /M Do`
}
