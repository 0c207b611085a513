/**
 * Labels on paper: how many a second of each kind and format, how much memory a file of ten thousand takes, and how long others wait
 * meanwhile. Labels of carriers are made here, each another one; what it takes to make them is not counted.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { CarrierPaper } from '#server/labels/carrier-pdf.ts'
import type { LabelPaper } from '#server/labels/paper.ts'
import { specimenPdf } from '#server/labels/pdf.ts'
import { printOne, writeMany } from '#server/labels/print.ts'
import type { Style } from '#server/labels/print.ts'
import { specimenPng } from '#server/labels/raster/specimen-png.ts'
import { example } from './labels.ts'

/**
 * `perSecond`: of one core, by the time that this thread had it, so that it counts little what else the machine does. `grewMb`: how
 * much the process took more. `heldMs`: the longest time in which nobody else was served, the making of labels included.
 */
export type PaperRun = {
  what: string
  labels: number
  perSecond: number
  bytesPerLabel: number
  grewMb: number
  heldMs: number
}

type Kind = {
  what: string
  labels: number
  style: Style
  make: (label: LabelPaper) => LabelPaper | CarrierPaper<number>
}

const carriers =
  (mime: CarrierPaper<number>['mime'], made: (label: LabelPaper) => Buffer) =>
  (label: LabelPaper): CarrierPaper<number> => ({
    key: label.position!.index,
    mime,
    bytes: made(label),
  })
const asPdf = carriers('application/pdf', specimenPdf)
const asPng = carriers('image/png', specimenPng)
const drawn = (label: LabelPaper): LabelPaper => label
const style = (format: Style['format']): Style => ({ format, first: 1 })

const KINDS: Kind[] = [
  { what: 'drawn by us, 4x6 PDF', labels: 10_000, style: style('pdf'), make: drawn },
  { what: 'drawn by us, Letter', labels: 10_000, style: style('letter'), make: drawn },
  { what: 'drawn by us, ZPL', labels: 10_000, style: style('zpl'), make: drawn },
  { what: 'PDF of a carrier, merged', labels: 10_000, style: style('pdf'), make: asPdf },
  { what: 'PDF of a carrier, Letter', labels: 10_000, style: style('letter'), make: asPdf },
  { what: 'PNG of a carrier, merged', labels: 10_000, style: style('pdf'), make: asPng },
  { what: 'PNG of a carrier, ZPL', labels: 200, style: style('zpl'), make: asPng },
]

/** How long (ms) this thread has had a core. */
function coreMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

export async function* benchPaper(): AsyncGenerator<PaperRun> {
  for (const kind of KINDS) yield await manyOf(kind)
  yield await singlesOf('drawn by us, PNG (one file each)', 200, style('png'))
}

async function manyOf({ what, labels, style, make }: Kind): Promise<PaperRun> {
  const before = process.memoryUsage.rss()
  let most = before
  let making = 0
  let bytes = 0
  const papers = async function* () {
    for (let index = 1; index <= labels; index++) {
      const began = coreMs()
      const paper = make(example(index, labels))
      making += coreMs() - began
      if (index % 500 === 0) most = Math.max(most, process.memoryUsage.rss())
      yield paper
    }
  }
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const began = coreMs()
  await writeMany(papers(), style, { write: chunk => void (bytes += chunk.length) })
  const tookMs = coreMs() - began - making
  delay.disable()
  return {
    what,
    labels,
    perSecond: (labels * 1000) / tookMs,
    bytesPerLabel: bytes / labels,
    grewMb: (most - before) / 2 ** 20,
    heldMs: delay.max / 1e6,
  }
}

async function singlesOf(what: string, labels: number, style: Style): Promise<PaperRun> {
  let bytes = 0
  let heldMs = 0
  const began = coreMs()
  for (let index = 1; index <= labels; index++) {
    const start = performance.now()
    bytes += (await printOne(example(index, labels), style)).length
    heldMs = Math.max(heldMs, performance.now() - start)
  }
  return {
    what,
    labels,
    perSecond: (labels * 1000) / (coreMs() - began),
    bytesPerLabel: bytes / labels,
    grewMb: 0,
    heldMs,
  }
}
