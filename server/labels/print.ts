/**
 * Labels on paper as their seller wants them: on 4x6 pages, on Letter sheets, as commands for a label printer, as a picture. What we
 * draw can be had in all of these; what a carrier has made is never drawn anew.
 */
import type { LabelFormat } from '#contract/orders.ts'
import { writeCarrierPdf } from './carrier-pdf.ts'
import type { CarrierPaper } from './carrier-pdf.ts'
import type { Sink } from './files/port.ts'
import { BadPdf } from './merge/syntax.ts'
import type { LabelPaper } from './paper.ts'
import { specimenPdf, writeSpecimenPdf } from './pdf.ts'
import { CannotPrint, pictureZpl } from './picture-zpl.ts'
import { specimenPng } from './raster/specimen-png.ts'
import { testPng } from './raster/test-png.ts'
import type { Place, Sheet } from './sheet.ts'
import { testPdf, testZpl } from './test-page.ts'
import { specimenZpl } from './zpl.ts'

/** A label to be printed: drawn by us, or as its carrier made it. */
export type Paper = LabelPaper | CarrierPaper<number>

/** `first`: the half of a Letter sheet where the first label goes. */
export type Style = { format: LabelFormat; first: Place }

/** Commands for a printer are sent in pieces of this size. */
const PIECE = 256 * 1024

export const PRINT_TYPES: Record<LabelFormat, string> = {
  pdf: 'application/pdf',
  letter: 'application/pdf',
  zpl: 'application/zpl',
  png: 'image/png',
}

const ENDINGS: Record<LabelFormat, string> = {
  pdf: '.pdf',
  letter: '-letter.pdf',
  zpl: '.zpl',
  png: '.png',
}

/** The name of a file in a format, by that of the 4x6 PDF. `part` stands behind what the name is of. */
export const nameIn = (pdfName: string, format: LabelFormat, part = ''): string =>
  pdfName.replace(/\.pdf$/, '') + part + ENDINGS[format]

/** One label. Throws CannotPrint, in words for the seller, where there is none of it in this format. */
export async function printOne(paper: Paper, { format, first }: Style): Promise<Buffer> {
  if (!('mime' in paper)) {
    switch (format) {
      case 'pdf':
        return specimenPdf(paper)
      case 'letter':
        return gathered(
          async sink => void (await writeSpecimenPdf([paper], sink, { kind: 'letter', first })),
        )
      case 'zpl':
        return Buffer.from(specimenZpl(paper))
      case 'png':
        return specimenPng(paper)
    }
  }
  const isPdf = paper.mime === 'application/pdf'
  if (format === (isPdf ? 'pdf' : 'png')) return Buffer.from(paper.bytes)
  if (format === 'zpl') return Buffer.from(zplOf(paper))
  if (format === 'png') throw new CannotPrint(ONLY_PDF)
  return gathered(async sink => {
    const {
      leftOut: [broken],
    } = await writeCarrierPdf([paper], sink, sheetOf({ format, first }))
    if (broken) throw asItCameOnly(isPdf ? 'PDF' : 'PNG', broken.problem)
  })
}

const asItCameOnly = (kind: 'PDF' | 'PNG', problem: string): CannotPrint =>
  new CannotPrint(`This label can only be had as its carrier made it, as ${kind}: ${problem}.`)
const ONLY_PDF =
  'The carrier made this label as a PDF: it can be printed as 4x6 PDF and on Letter sheets.'

/** The page to try a printer with. */
export function printTestPage({ format, first }: Style): Buffer {
  switch (format) {
    case 'pdf':
    case 'letter':
      return testPdf(sheetOf({ format, first }))
    case 'zpl':
      return Buffer.from(testZpl())
    case 'png':
      return testPng()
  }
}

/**
 * Many labels as one file, in the order given; the first says who made them all. One at a time is in memory, and others are served
 * between two of them. Returns those that were left out, because what their carrier made cannot be read. Throws CannotPrint.
 */
export async function writeMany(
  papers: AsyncIterable<Paper>,
  style: Style,
  sink: Sink,
): Promise<{ key: number; problem: string }[]> {
  if (style.format === 'zpl') {
    await writeZpl(papers, sink)
    return []
  }
  const source = papers[Symbol.asyncIterator]()
  const first = await source.next()
  if (first.done) return []
  const all = async function* (): AsyncGenerator<Paper> {
    yield first.value
    yield* { [Symbol.asyncIterator]: () => source }
  }
  const sheet = sheetOf(style)
  if ('mime' in first.value)
    return (await writeCarrierPdf(all() as AsyncIterable<CarrierPaper<number>>, sink, sheet))
      .leftOut
  await writeSpecimenPdf(all() as AsyncIterable<LabelPaper>, sink, sheet)
  return []
}

async function writeZpl(papers: AsyncIterable<Paper>, sink: Sink): Promise<void> {
  let waiting = ''
  for await (const paper of papers) {
    const isMade = 'mime' in paper
    waiting += isMade ? zplOf(paper) : specimenZpl(paper)
    if (waiting.length >= PIECE) {
      await sink.write(Buffer.from(waiting))
      waiting = ''
    }
    // A picture takes a while.
    if (isMade) await new Promise(resolve => setImmediate(resolve))
  }
  if (waiting !== '') await sink.write(Buffer.from(waiting))
}

function zplOf({ mime, bytes }: CarrierPaper<number>): string {
  if (mime === 'application/pdf') throw new CannotPrint(ONLY_PDF)
  try {
    return pictureZpl(bytes)
  } catch (error) {
    throw error instanceof BadPdf ? asItCameOnly('PNG', error.message) : error
  }
}

const sheetOf = ({ format, first }: Style): Sheet =>
  format === 'letter' ? { kind: 'letter', first } : { kind: '4x6' }

async function gathered(write: (sink: Sink) => Promise<void>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  await write({ write: piece => void pieces.push(piece) })
  return Buffer.concat(pieces)
}
