/**
 * Labels on paper as their seller wants them: on 4x6 pages, on Letter sheets, as commands for a label printer, as a picture. What we
 * draw can be had in all of these; what a carrier has made is never drawn anew.
 */
import type { LabelFormat } from '#contract/downloads.ts'
import type { Sink } from '#server/platform/storage/port.ts'
import { writeCarrierPdf } from './carrier-pdf.ts'
import type { CarrierLabelFile } from './carrier-pdf.ts'
import type { LabelData } from './label-data.ts'
import { UnreadableFileError } from './merge/pdf-syntax.ts'
import { CannotPrintError, pngToZpl } from './png-zpl.ts'
import type { SheetHalf, Sheet } from './sheet.ts'
import { specimenPdf, writeSpecimenPdf } from './specimen-pdf.ts'
import { specimenPng } from './specimen-png.ts'
import { specimenZpl } from './specimen-zpl.ts'
import { testPagePdf, testPagePng, testPageZpl } from './test-page.ts'

/** A label to be printed: drawn by us, or as its carrier made it. */
export type PrintableLabel = LabelData | CarrierLabelFile<number>

/** `first`: the half of a Letter sheet where the first label goes. */
export type LabelPrintOptions = { format: LabelFormat; firstHalf: SheetHalf }

/** Commands for a printer are sent in pieces of this size. */
const CHUNK_BYTES = 256 * 1024

export const FORMAT_MIME_TYPES: Record<LabelFormat, string> = {
  pdf: 'application/pdf',
  letter: 'application/pdf',
  zpl: 'application/zpl',
  png: 'image/png',
}

const FILE_SUFFIXES: Record<LabelFormat, string> = {
  pdf: '.pdf',
  letter: '-letter.pdf',
  zpl: '.zpl',
  png: '.png',
}

/** The name of a file in a format, by that of the 4x6 PDF. `part` stands behind what the name is of. */
export const printFileName = (pdfName: string, format: LabelFormat, part = ''): string =>
  pdfName.replace(/\.pdf$/, '') + part + FILE_SUFFIXES[format]

/** One label. Throws CannotPrint, in words for the seller, where there is none of it in this format. */
export async function renderLabel(
  paper: PrintableLabel,
  { format, firstHalf }: LabelPrintOptions,
): Promise<Buffer> {
  if (!('mime' in paper)) {
    switch (format) {
      case 'pdf':
        return specimenPdf(paper)
      case 'letter':
        return collectBytes(
          async sink =>
            void (await writeSpecimenPdf([paper], sink, { kind: 'letter', first: firstHalf })),
        )
      case 'zpl':
        return Buffer.from(specimenZpl(paper))
      case 'png':
        return specimenPng(paper)
    }
  }
  const isPdf = paper.mime === 'application/pdf'
  if (format === (isPdf ? 'pdf' : 'png')) return Buffer.from(paper.bytes)
  if (format === 'zpl') return Buffer.from(carrierFileToZpl(paper))
  if (format === 'png') throw new CannotPrintError(ONLY_PDF_MESSAGE)
  return collectBytes(async sink => {
    const {
      omitted: [broken],
    } = await writeCarrierPdf([paper], sink, toSheet({ format, firstHalf }))
    if (broken) throw onlyOriginalError(isPdf ? 'PDF' : 'PNG', broken.problem)
  })
}

const onlyOriginalError = (kind: 'PDF' | 'PNG', problem: string): CannotPrintError =>
  new CannotPrintError(`This label can only be had as its carrier made it, as ${kind}: ${problem}.`)
const ONLY_PDF_MESSAGE =
  'The carrier made this label as a PDF: it can be printed as 4x6 PDF and on Letter sheets.'

/** The page to try a printer with. */
export async function printTestPage({ format, firstHalf }: LabelPrintOptions): Promise<Buffer> {
  switch (format) {
    case 'pdf':
    case 'letter':
      return testPagePdf(toSheet({ format, firstHalf }))
    case 'zpl':
      return Buffer.from(testPageZpl())
    case 'png':
      return testPagePng()
  }
}

/**
 * Many labels as one file, in the order given; the first says who made them all. One at a time is in memory, and others are served
 * between two of them. Returns those that were left out, because what their carrier made cannot be read. Throws CannotPrint.
 */
export async function renderLabels(
  papers: AsyncIterable<PrintableLabel>,
  style: LabelPrintOptions,
  sink: Sink,
): Promise<{ key: number; problem: string }[]> {
  if (style.format === 'zpl') {
    await writeZplLabels(papers, sink)
    return []
  }
  const source = papers[Symbol.asyncIterator]()
  const first = await source.next()
  if (first.done) return []
  const all = async function* (): AsyncGenerator<PrintableLabel> {
    yield first.value
    yield* { [Symbol.asyncIterator]: () => source }
  }
  const sheet = toSheet(style)
  if ('mime' in first.value)
    return (await writeCarrierPdf(all() as AsyncIterable<CarrierLabelFile<number>>, sink, sheet))
      .omitted
  await writeSpecimenPdf(all() as AsyncIterable<LabelData>, sink, sheet)
  return []
}

async function writeZplLabels(papers: AsyncIterable<PrintableLabel>, sink: Sink): Promise<void> {
  let waiting = ''
  for await (const paper of papers) {
    const isMade = 'mime' in paper
    waiting += isMade ? carrierFileToZpl(paper) : specimenZpl(paper)
    if (waiting.length >= CHUNK_BYTES) {
      await sink.write(Buffer.from(waiting))
      waiting = ''
    }
    // A picture takes a while.
    if (isMade) await new Promise(resolve => setImmediate(resolve))
  }
  if (waiting !== '') await sink.write(Buffer.from(waiting))
}

function carrierFileToZpl({ mime, bytes }: CarrierLabelFile<number>): string {
  if (mime === 'application/pdf') throw new CannotPrintError(ONLY_PDF_MESSAGE)
  try {
    return pngToZpl(bytes)
  } catch (error) {
    throw error instanceof UnreadableFileError ? onlyOriginalError('PNG', error.message) : error
  }
}

const toSheet = ({ format, firstHalf }: LabelPrintOptions): Sheet =>
  format === 'letter' ? { kind: 'letter', first: firstHalf } : { kind: '4x6' }

async function collectBytes(write: (sink: Sink) => Promise<void>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  await write({ write: piece => void pieces.push(piece) })
  return Buffer.concat(pieces)
}
