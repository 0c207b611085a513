/**
 * Reads a PDF with independent libraries: PDF.js finds the words and draws the page, a barcode reader reads what was drawn. For
 * tests of anything that is printed.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createCanvas, DOMMatrix, ImageData, Path2D } from '@napi-rs/canvas'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

// PDF.js looks for these where a browser has them, at the moment it is loaded.
Object.assign(globalThis, { DOMMatrix, ImageData, Path2D })
const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs')

const packages = createRequire(import.meta.url)
const wasm = readFileSync(packages.resolve('zxing-wasm/reader/zxing_reader.wasm'))
// Without its own copy it would ask the internet for one.
prepareZXingModule({
  overrides: {
    wasmBinary: wasm.buffer.slice(
      wasm.byteOffset,
      wasm.byteOffset + wasm.byteLength,
    ) as ArrayBuffer,
  },
})

const FONTS = join(dirname(packages.resolve('pdfjs-dist/package.json')), 'standard_fonts') + '/'
// The grain of a common thermal label printer.
const DOTS_PER_INCH = 203.2
// A page that PDF.js dislikes may never finish, instead of failing.
const PAGE_TIMEOUT_MS = 40_000

/** What was drawn, four bytes a dot. */
export type Picture = { width: number; height: number; data: Buffer }

/** What a barcode reader says. `gs1` means that it found the mark of GS1-128 at the beginning. */
export type Barcode = { text: string; bytes: Uint8Array; gs1: boolean }

/**
 * `text` is what a person reads: a line for each baseline from top to bottom, words from left to right. Width and height in
 * points. `barcode` draws the page at 203 dots per inch and reads it there; null when it finds none.
 */
export type ParsedPdfPage = {
  text: string
  width: number
  height: number
  picture(): Promise<Picture>
  barcode(): Promise<Barcode | null>
}
export type ParsedPdf = {
  title: string
  count: number
  page(number: number): Promise<ParsedPdfPage>
}

/** Opens a file whose pages are read one at a time, counted from 1. */
export async function openPdf(bytes: Uint8Array): Promise<ParsedPdf> {
  const document = await withPageTimeout(
    'opening the file',
    pdfjs.getDocument({
      data: new Uint8Array(bytes),
      standardFontDataUrl: FONTS,
      disableFontFace: true,
      verbosity: 0,
    }).promise,
  )
  const { info } = await document.getMetadata()
  const page = async (number: number): Promise<ParsedPdfPage> => {
    const read = await withPageTimeout(`page ${number}`, document.getPage(number))
    const [left, bottom, right, top] = read.view as [number, number, number, number]
    const { items } = await withPageTimeout(`the text of page ${number}`, read.getTextContent())
    const picture = () => withPageTimeout(`drawing page ${number}`, drawPage(read))
    const barcode = async () => (await readBarcodesOf(await picture()))[0] ?? null
    const words = items
      .flatMap(item => ('str' in item ? [item] : []))
      .map(({ str, transform }) => ({ str, x: Number(transform[4]), y: Number(transform[5]) }))
    return { text: linesOf(words), width: right - left, height: top - bottom, picture, barcode }
  }
  return { title: (info as { Title?: string }).Title ?? '', count: document.numPages, page }
}

/** All pages of a file. */
export async function readPdf(bytes: Uint8Array): Promise<ParsedPdfPage[]> {
  const file = await openPdf(bytes)
  const pages: ParsedPdfPage[] = []
  for (let number = 1; number <= file.count; number++) pages.push(await file.page(number))
  return pages
}

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof pdfjs.getDocument>['promise']>['getPage']>>

async function drawPage(page: Page): Promise<Picture> {
  const viewport = page.getViewport({ scale: DOTS_PER_INCH / 72 })
  const canvas = createCanvas(Math.round(viewport.width), Math.round(viewport.height))
  const paint = canvas.getContext('2d')
  // PDF.js knows the browser's canvas only; this one does the same.
  await page.render({
    canvas: canvas as never,
    canvasContext: paint as never,
    viewport,
    background: 'white',
  }).promise
  const { width, height, data } = paint.getImageData(0, 0, canvas.width, canvas.height)
  return { width, height, data: Buffer.from(data.buffer, data.byteOffset, data.byteLength) }
}

/** All barcodes on a picture, in no order. */
export async function readBarcodesOf(picture: Picture): Promise<Barcode[]> {
  const image = new ImageData(new Uint8ClampedArray(picture.data), picture.width, picture.height)
  const found = await readBarcodes(image as never, {
    formats: ['Code128'],
    tryHarder: true,
    textMode: 'HRI',
  })
  return found
    .filter(({ isValid }) => isValid)
    .map(({ text, bytes, contentType, symbologyIdentifier }) => ({
      text,
      bytes,
      gs1: contentType === 'GS1' && symbologyIdentifier === ']C1',
    }))
}

/** Words where they stand (y grows upwards) as a person reads them: see `text` of a page. */
export function linesOf(words: readonly { str: string; x: number; y: number }[]): string {
  const sorted = words.filter(({ str }) => str.trim() !== '').sort((a, b) => b.y - a.y)
  const lines: (typeof sorted)[] = []
  for (const word of sorted) {
    const line = lines.at(-1)
    if (line && Math.abs(line[0]!.y - word.y) < 1) line.push(word)
    else lines.push([word])
  }
  return lines
    .map(line =>
      line
        .sort((a, b) => a.x - b.x)
        .map(word => word.str)
        .join(' '),
    )
    .join('\n')
}

async function withPageTimeout<T>(what: string, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error(`PDF.js did not finish ${what}`)),
    PAGE_TIMEOUT_MS,
  )
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
