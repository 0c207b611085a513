/**
 * Prints labels as 4x6 pages, Letter sheets, ZPL or PNG. Our specimens exist in all of these;
 * carrier files are never redrawn.
 */
import type { LabelFormat } from '#contract/downloads.ts'
import { yieldToOthers } from '#server/platform/process/turns.ts'
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

/** Drawn by us, or the carrier's file. */
export type PrintableLabel = LabelData | CarrierLabelFile<number>

/** `firstHalf`: where the first label of a Letter sheet goes. */
export type LabelPrintOptions = { format: LabelFormat; firstHalf: SheetHalf }

/** Size of the pieces in which ZPL is sent. */
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

/**
 * The file name in a format, from that of the 4x6 PDF. `part` is appended before the extension,
 * e.g. `-rows-3-7`.
 */
export const printFileName = (pdfName: string, format: LabelFormat, part = ''): string =>
  pdfName.replace(/\.pdf$/, '') + part + FILE_SUFFIXES[format]

/** Throws CannotPrintError if the label does not exist in this format. */
export async function renderLabel(
  label: PrintableLabel,
  { format, firstHalf }: LabelPrintOptions,
): Promise<Buffer> {
  if (!('mime' in label)) {
    switch (format) {
      case 'pdf':
        return specimenPdf(label)
      case 'letter':
        return collectBytes(
          async sink =>
            void (await writeSpecimenPdf([label], sink, { kind: 'letter', first: firstHalf })),
        )
      case 'zpl':
        return Buffer.from(specimenZpl(label))
      case 'png':
        return specimenPng(label)
    }
  }
  if (FORMAT_MIME_TYPES[format] === label.mime && format !== 'letter')
    return Buffer.from(label.bytes)
  const isPdf = label.mime === 'application/pdf'
  if (format === 'zpl') return Buffer.from(carrierFileToZpl(label))
  if (format === 'png') throw new CannotPrintError(ONLY_PDF_MESSAGE)
  return collectBytes(async sink => {
    const {
      omitted: [broken],
    } = await writeCarrierPdf([label], sink, toSheet({ format, firstHalf }))
    if (broken) throw onlyOriginalError(isPdf ? 'PDF' : 'PNG', broken.problem)
  })
}

const onlyOriginalError = (kind: 'PDF' | 'PNG', problem: string): CannotPrintError =>
  new CannotPrintError(`This label can only be had as its carrier made it, as ${kind}: ${problem}.`)
export const ONLY_PDF_MESSAGE =
  'The carrier made this label as a PDF: it can be printed as 4x6 PDF and on Letter sheets.'

/** A page to test a printer with. */
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
 * Many labels as one file, in the given order; all have the kind of the first. One at a time is in
 * memory, and other requests run in between. Returns labels left out because their file cannot be
 * read. Throws CannotPrintError.
 */
export async function renderLabels(
  labels: AsyncIterable<PrintableLabel>,
  style: LabelPrintOptions,
  sink: Sink,
): Promise<{ key: number; problem: string }[]> {
  if (style.format === 'zpl') {
    await writeZplLabels(labels, sink)
    return []
  }
  const source = labels[Symbol.asyncIterator]()
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

async function writeZplLabels(labels: AsyncIterable<PrintableLabel>, sink: Sink): Promise<void> {
  let waiting = ''
  for await (const label of labels) {
    const isMade = 'mime' in label
    waiting += isMade ? carrierFileToZpl(label) : specimenZpl(label)
    if (waiting.length >= CHUNK_BYTES) {
      await sink.write(Buffer.from(waiting))
      waiting = ''
    }
    // Decoding an image takes a while.
    if (isMade) await yieldToOthers()
  }
  if (waiting !== '') await sink.write(Buffer.from(waiting))
}

function carrierFileToZpl({ mime, bytes }: CarrierLabelFile<number>): string {
  if (mime === 'application/zpl') return withLineEnd(Buffer.from(bytes).toString('latin1'))
  if (mime === 'application/pdf') throw new CannotPrintError(ONLY_PDF_MESSAGE)
  try {
    return pngToZpl(bytes)
  } catch (error) {
    throw error instanceof UnreadableFileError ? onlyOriginalError('PNG', error.message) : error
  }
}

/** Labels in a file follow each other on lines of their own. */
const withLineEnd = (zpl: string): string => (zpl.endsWith('\n') ? zpl : `${zpl}\n`)

const toSheet = ({ format, firstHalf }: LabelPrintOptions): Sheet =>
  format === 'letter' ? { kind: 'letter', first: firstHalf } : { kind: '4x6' }

async function collectBytes(write: (sink: Sink) => Promise<void>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  await write({ write: piece => void pieces.push(piece) })
  return Buffer.concat(pieces)
}
