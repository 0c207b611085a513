// Specimens as a PDF, in order: one page per label, or two on a Letter sheet. Everything pages
// share (size, fonts, two static layers) is stored once. Files are always rebuilt from stored
// labels, and the same labels give the same bytes.
import type { Sink } from '#server/platform/storage/port.ts'
import { drawingThread } from './drawing/drawing-thread.ts'
import type { LabelData } from './label-data.ts'
import { PAGE, SPECIMEN_TITLE } from './layout.ts'
import { mapConcurrent } from './map-concurrent.ts'
import { PageTree } from './page-tree.ts'
import { finishPdf } from './pdf-finish.ts'
import { PdfFile } from './pdf-objects.ts'
import { LETTER_SIZE } from './sheet.ts'
import type { Sheet } from './sheet.ts'
import { drawPage } from './specimen-page.ts'
import type { PlacedLabel, SpecimenPage } from './specimen-page.ts'
import { GROUND_LAYER, MARKS_LAYER } from './specimen.ts'

/** 50 labels: 4 ms of work. */
const PAGES_PER_GROUP: Record<Sheet['kind'], number> = { '4x6': 50, letter: 25 }
/** The thread draws while labels are read. */
const GROUPS_AHEAD = 3

/**
 * `pages` are sheets. Memory holds object offsets only, so the number of labels is unlimited.
 * Throws without labels, and for a live tracking number.
 */
export async function writeSpecimenPdf(
  labels: Iterable<LabelData> | AsyncIterable<LabelData>,
  sink: Sink,
  sheet: Sheet = { kind: '4x6' },
): Promise<{ pages: number; bytes: number }> {
  const builder = new SpecimenPdfBuilder(sheet)
  const groupSize = PAGES_PER_GROUP[sheet.kind]
  let bytes = 0
  const flush = async (all: boolean) => {
    const chunk = builder.file.drain(all)
    if (chunk === null) return
    bytes += chunk.length
    await sink.write(chunk)
  }
  // Short files start no thread.
  const draw = (group: SpecimenPage[]) =>
    group.length < groupSize ? group.map(drawPage) : drawingThread.draw(group)
  const groups = groupsOf(pagesOf(labels, sheet), groupSize)
  for await (const pages of mapConcurrent(groups, GROUPS_AHEAD, draw)) {
    for (const page of pages) builder.add(page)
    await flush(false)
  }
  builder.finish()
  await flush(true)
  return { pages: builder.pages, bytes }
}

/** About 2.3 KB. */
export function specimenPdf(label: LabelData): Buffer {
  const builder = new SpecimenPdfBuilder({ kind: '4x6' })
  builder.add(drawPage([{ label, half: null }]))
  builder.finish()
  return builder.file.drain(true)!
}

async function* pagesOf(
  labels: Iterable<LabelData> | AsyncIterable<LabelData>,
  sheet: Sheet,
): AsyncGenerator<SpecimenPage> {
  let page: PlacedLabel[] = []
  let half = sheet.kind === 'letter' ? sheet.first : null
  for await (const label of labels) {
    page.push({ label, half })
    const isFull = half !== 1
    if (half !== null) half = half === 1 ? 2 : 1
    if (!isFull) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

async function* groupsOf<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let group: T[] = []
  for await (const item of items) {
    group.push(item)
    if (group.length < size) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

class SpecimenPdfBuilder {
  readonly file = new PdfFile()
  readonly #pageSize: { width: number; height: number }
  readonly #tree = new PageTree(this.file)

  constructor(sheet: Sheet) {
    this.#pageSize = sheet.kind === 'letter' ? LETTER_SIZE : PAGE
  }

  get pages(): number {
    return this.#tree.pages
  }

  /** `content`: from `drawPage`. */
  add(content: Uint8Array): void {
    this.#tree.add(`/Contents ${this.file.deflatedStream(content)} 0 R`)
  }

  finish(): void {
    finishPdf(this.file, this.#tree, {
      pageSize: this.#pageSize,
      title: SPECIMEN_TITLE,
      layers: { G: GROUND_LAYER, M: MARKS_LAYER },
    })
  }
}
