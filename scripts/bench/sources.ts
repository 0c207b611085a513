/** Files of every source, detected, read and checked, against the bulk template. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { hasNoErrors, rowErrors } from '#contract/row-rules.ts'
import { SELLER_FILES, sellerFile, SOURCE_OF } from '#tests/support/seller-files.ts'
import type { SellerFormat } from '#tests/support/seller-files.ts'
import { importFile } from '#web/batches/import/import-file.ts'
import { median } from './figures.ts'

/** `ms`: of the thread, without other programs. `ratio`: to the template's, measured beside it. */
export type SourceBench = { name: SellerFormat; rows: number; ms: number; ratio: number }
type Reading = { rows: number; ms: number }

const SENDER = {
  name: 'Wanda Osei',
  street: '1 Mill Rd',
  city: 'Roseburg',
  state: 'OR',
  zip: '97470',
}
const ROUNDS = 5

/** The median of five rounds. Each file is read in a thread of its own, as on the page. */
export async function* benchSources(count = 10_000): AsyncGenerator<SourceBench> {
  for (const name of Object.keys(SELLER_FILES) as SellerFormat[]) {
    const readings: Reading[] = []
    const ratios: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const template = await readInThread('template', count)
      const reading = name === 'template' ? template : await readInThread(name, count)
      readings.push(reading)
      ratios.push(reading.ms / template.ms)
    }
    const ms = median(readings.map(reading => reading.ms))
    yield { name, rows: readings[0]!.rows, ms, ratio: median(ratios) }
  }
}

const readInThread = (name: SellerFormat, count: number): Promise<Reading> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { name, count } })
    worker.once('message', resolve)
    worker.once('error', reject)
  })

if (!isMainThread) {
  const { name, count } = workerData as { name: SellerFormat; count: number }
  parentPort?.postMessage(readOnce(name, count))
}

/** A file with so many rows, beside the lines that become none. */
function readOnce(name: SellerFormat, count: number): Reading {
  const perOrder = sellerFile(name, 1_000).rows.length / 1_000
  const { fileName, header, records, text, rows } = sellerFile(name, Math.round(count / perOrder))
  const bytes = new TextEncoder().encode(text(header, records))
  const before = process.threadCpuUsage()
  const answer = importFile(bytes, fileName, { senderAddress: SENDER, skus: [], maxRows: 50_000 })
  if (!('rows' in answer) || answer.source !== SOURCE_OF[name])
    throw new Error(`the file of ${name} was not read`)
  const valid = answer.rows.filter(row => hasNoErrors(rowErrors(row, { needService: false })))
  const { user, system } = process.threadCpuUsage(before)
  if (answer.rows.length !== rows.length || valid.length > rows.length)
    throw new Error(`the file of ${name} was read wrongly`)
  return { rows: rows.length, ms: (user + system) / 1000 }
}
