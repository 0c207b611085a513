/** Files of bulk orders compared with their rows (docs/requirements.md#files). */
import { buffer } from 'node:stream/consumers'
import Papa from 'papaparse'
import { expect } from 'vitest'
import { orderStatusFor } from '#server/orders/rules.ts'
import type { OrderState } from '#server/orders/rules.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import type { Simulation } from './simulation.ts'

type Label = {
  batch: number
  row: number
  state: OrderState
  tracking: string | null
  price: number
}
type StoredFileNames = {
  id: number
  pdf: string | null
  result: string | null
  confirm: string | null
}

/**
 * Throws where the files of a bulk order that has come to rest do not say what its rows say, in the order of the table. `read` is what
 * was read before, by bulk order: files that are the same over rows that are the same are not read again.
 */
export async function checkBatchFiles(
  { database, ctx }: Simulation,
  read: Map<number, string>,
  after: string,
): Promise<void> {
  const { rows: batches } = await database.pool.query<StoredFileNames & { sums: string[] }>(`
    select id, pdf_name as pdf, result_name as result, confirm_name as confirm,
        array(select sha256 from label_file where batch_id = batch.id order by name) as sums
      from batch where status in ('completed', 'completed_with_errors', 'failed') and not files_stale`)
  const { rows: labels } = await database.pool.query<Label>(
    `
    select batch_id as batch, row_no as row, state, tracking_number as tracking, price_cents as price from shipment_order
      where batch_id = any($1) order by batch_id, row_no`,
    [batches.map(({ id }) => id)],
  )
  const content = async (name: string | null): Promise<Buffer> => {
    const file = name === null ? null : await ctx.files.read(name)
    return file ? buffer(file.stream) : Buffer.alloc(0)
  }
  for (const { sums, ...names } of batches) {
    const rows = labels.filter(({ batch }) => batch === names.id)
    const now = JSON.stringify([names, sums, rows])
    if (read.get(names.id) === now) continue
    const [result, confirm, pdf] = await Promise.all(
      [names.result, names.confirm, names.pdf].map(content),
    )
    await compareWithRows(
      rows,
      { result: result!, confirm: confirm!, pdf: pdf! },
      `batch ${names.id} after ${after}`,
    )
    read.set(names.id, now)
  }
}

async function compareWithRows(
  rows: Label[],
  files: Record<'result' | 'confirm' | 'pdf', Buffer>,
  what: string,
): Promise<void> {
  const good = rows.filter(({ state }) => state === 'purchased' || state === 'voiding')
  const bought = good.map(({ tracking }) => tracking)
  expect(
    linesOf(files.result, ',').map(([row, , , status, tracking, price]) => [
      row,
      status,
      tracking?.replaceAll(' ', ''),
      price,
    ]),
    `result of ${what}`,
  ).toEqual(
    rows.map(label => [
      String(label.row),
      orderStatusFor(label.state),
      label.tracking ?? '',
      good.includes(label) ? (label.price / 100).toFixed(2) : '',
    ]),
  )
  expect(
    linesOf(files.confirm, '\t').map(line => line[6]),
    `confirmation of ${what}`,
  ).toEqual(bought)
  const pages = files.pdf.length === 0 ? [] : await readPdf(files.pdf)
  expect(
    pages.map(page => /(?:\d{4} ){5}\d\d/.exec(page.text)?.[0].replaceAll(' ', '')),
    `pages of ${what}`,
  ).toEqual(bought)
}

/** The lines below the heads. */
const linesOf = (file: Buffer, delimiter: string): string[][] =>
  Papa.parse<string[]>(file.toString(), { delimiter, skipEmptyLines: true }).data.slice(1)
