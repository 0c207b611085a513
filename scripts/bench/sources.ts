/** Files of every source, detected, read and checked, against the bulk template. */
import { hasNoErrors, rowErrors } from '#contract/row-rules.ts'
import { SELLER_FILES, sellerFile, SOURCE_OF } from '#tests/support/seller-files.ts'
import type { SellerFormat } from '#tests/support/seller-files.ts'
import { importFile } from '#web/batches/import/import-file.ts'

/** `ms`: of the process, without other programs. `ratio`: to the template's, measured beside it. */
export type SourceBench = { name: SellerFormat; rows: number; ms: number; ratio: number }

const SENDER = {
  name: 'Wanda Osei',
  street: '1 Mill Rd',
  city: 'Roseburg',
  state: 'OR',
  zip: '97470',
}
const WARM_ROUNDS = 3
const ROUNDS = 11

/** The median of 11 rounds, each beside a round of the template, after three to warm up. */
export function* benchSources(count = 10_000): Generator<SourceBench> {
  const template = readerOf('template', count)
  for (let round = 0; round < WARM_ROUNDS; round++) template.read()
  for (const name of Object.keys(SELLER_FILES) as SellerFormat[]) {
    const { read, rows } = name === 'template' ? template : readerOf(name, count)
    const times: number[] = []
    const ratios: number[] = []
    for (let round = -WARM_ROUNDS; round < ROUNDS; round++) {
      const before = timed(template.read)
      const ms = timed(read)
      const after = timed(template.read)
      if (round < 0) continue
      times.push(ms)
      ratios.push(ms / ((before + after) / 2))
    }
    yield { name, rows, ms: median(times), ratio: median(ratios) }
  }
}

/** A file with so many rows, beside the lines that become none. */
function readerOf(name: SellerFormat, count: number): { read: () => void; rows: number } {
  const share = sellerFile(name, 1_000).rows.length / 1_000
  const { fileName, header, records, text, rows } = sellerFile(name, Math.round(count / share))
  const bytes = new TextEncoder().encode(text(header, records))
  const read = (): void => {
    const answer = importFile(bytes, fileName, { senderAddress: SENDER, skus: [], maxRows: 50_000 })
    if (
      !('rows' in answer)
      || answer.source !== SOURCE_OF[name]
      || answer.rows.length !== rows.length
    )
      throw new Error(`the file of ${name} was read wrongly`)
    let valid = 0
    for (const row of answer.rows) if (hasNoErrors(rowErrors(row, { needService: false }))) valid++
    if (valid > answer.rows.length) throw new Error('more valid rows than rows')
  }
  return { read, rows: rows.length }
}

function timed(work: () => void): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user / 1000
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
