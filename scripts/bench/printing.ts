/**
 * Printing of each kind and format. Carrier labels are generated here, all different; their
 * generation is not counted.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { CarrierLabelFile } from '#server/labels/carrier-pdf.ts'
import type { LabelData } from '#server/labels/label-data.ts'
import { renderLabel, renderLabels } from '#server/labels/print.ts'
import type { LabelPrintOptions } from '#server/labels/print.ts'
import { specimenPdf } from '#server/labels/specimen-pdf.ts'
import { specimenPng } from '#server/labels/specimen-png.ts'
import { example } from './labels.ts'

/**
 * `perSecond`: by the CPU time of this thread, so other load matters little. `memoryGrowthMb`: of
 * the process. `maxBlockedMs`: longest time without serving other work, including the generation of
 * labels.
 */
export type PrintRun = {
  what: string
  labels: number
  perSecond: number
  bytesPerLabel: number
  memoryGrowthMb: number
  maxBlockedMs: number
}

type PrintCase = {
  what: string
  labels: number
  style: LabelPrintOptions
  make: (
    label: LabelData,
  ) => LabelData | CarrierLabelFile<number> | Promise<CarrierLabelFile<number>>
}

const carrierFile =
  (mime: CarrierLabelFile<number>['mime'], draw: (label: LabelData) => Buffer | Promise<Buffer>) =>
  async (label: LabelData): Promise<CarrierLabelFile<number>> => ({
    key: label.position!.index,
    mime,
    bytes: await draw(label),
  })
const asPdf = carrierFile('application/pdf', specimenPdf)
const asPng = carrierFile('image/png', specimenPng)
const drawn = (label: LabelData): LabelData => label
const style = (format: LabelPrintOptions['format']): LabelPrintOptions => ({ format, firstHalf: 1 })

const PRINT_CASES: PrintCase[] = [
  { what: 'own label, 4x6 PDF', labels: 10_000, style: style('pdf'), make: drawn },
  { what: 'own label, Letter', labels: 10_000, style: style('letter'), make: drawn },
  { what: 'own label, ZPL', labels: 10_000, style: style('zpl'), make: drawn },
  { what: 'PDF of a carrier, merged', labels: 10_000, style: style('pdf'), make: asPdf },
  { what: 'PDF of a carrier, Letter', labels: 10_000, style: style('letter'), make: asPdf },
  { what: 'PNG of a carrier, merged', labels: 500, style: style('pdf'), make: asPng },
  { what: 'PNG of a carrier, ZPL', labels: 200, style: style('zpl'), make: asPng },
]

/** CPU time of this thread in ms. */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

export async function* benchPrinting(): AsyncGenerator<PrintRun> {
  for (const kind of PRINT_CASES) yield await printMany(kind)
  yield await printSingles('own label, PNG (one file each)', 200, style('png'))
}

async function printMany({ what, labels, style, make }: PrintCase): Promise<PrintRun> {
  const before = process.memoryUsage.rss()
  let most = before
  let making = 0
  let bytes = 0
  const makeLabels = async function* () {
    for (let index = 1; index <= labels; index++) {
      const began = threadCpuMs()
      const paper = await make(example(index, labels))
      making += threadCpuMs() - began
      if (index % 500 === 0) most = Math.max(most, process.memoryUsage.rss())
      yield paper
    }
  }
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const began = threadCpuMs()
  await renderLabels(makeLabels(), style, { write: chunk => void (bytes += chunk.length) })
  const tookMs = threadCpuMs() - began - making
  delay.disable()
  return {
    what,
    labels,
    perSecond: (labels * 1000) / tookMs,
    bytesPerLabel: bytes / labels,
    memoryGrowthMb: (most - before) / 2 ** 20,
    maxBlockedMs: delay.max / 1e6,
  }
}

async function printSingles(
  what: string,
  labels: number,
  style: LabelPrintOptions,
): Promise<PrintRun> {
  let bytes = 0
  let heldMs = 0
  const began = threadCpuMs()
  for (let index = 1; index <= labels; index++) {
    const start = performance.now()
    bytes += (await renderLabel(example(index, labels), style)).length
    heldMs = Math.max(heldMs, performance.now() - start)
  }
  return {
    what,
    labels,
    perSecond: (labels * 1000) / (threadCpuMs() - began),
    bytesPerLabel: bytes / labels,
    memoryGrowthMb: 0,
    maxBlockedMs: heldMs,
  }
}
