/** Labels of a bulk order in a format, or of some rows of it: made while they are read, as the rows are at that moment. */
import type { Readable } from 'node:stream'
import { parseRowList, rowListText } from '#contract/row-ranges.ts'
import type { RowRange } from '#contract/row-ranges.ts'
import { toBatchFileRows } from '#server/batches/batch-file-rows.ts'
import type { WithBatches } from '#server/batches/close.ts'
import { missingLabelReason } from '#server/batches/rules.ts'
import type { BatchRecord } from '#server/batches/store.ts'
import { MAX_CONCURRENT_READS } from '#server/labels/batch-files.ts'
import type { BatchFileRow } from '#server/labels/batch-files.ts'
import { requestLabelFileAgain } from '#server/labels/carrier-label-file-store.ts'
import { readLabelFileOrRefuse } from '#server/labels/carrier-label-file.ts'
import { mapConcurrent } from '#server/labels/map-concurrent.ts'
import { CannotPrintError } from '#server/labels/png-zpl.ts'
import { renderLabels } from '#server/labels/print.ts'
import type { PrintableLabel, LabelPrintOptions } from '#server/labels/print.ts'
import { selectBatchRows } from '#server/orders/store.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { streamFromWriter } from '#server/platform/storage/writer-stream.ts'

/** Rows read at a time: no label is older than the time its reader takes for so many. */
const ROWS_A_PAGE = 200

/** The rows that a list names; all of them without one. Throws Refusal 'unprocessable', which names the piece. */
export function parseRowSelection(list: string | undefined, total: number): RowRange[] {
  if (list === undefined) return [[1, total]]
  const found = parseRowList(list, total)
  if ('problem' in found) throw new Refusal('unprocessable', found.problem, { rows: found.problem })
  return found.rows
}

/** What stands in the name of a file for its rows: '-rows-3-7_12', or less where they are many. */
export function rowsSuffix(rows: readonly RowRange[]): string {
  const text = rowListText(rows).replaceAll(',', '_')
  return text.length <= 40 ? `-rows-${text}` : '-some-rows'
}

/**
 * These rows' labels as a file. A row without a label that can be printed, or whose label is being voided, is left out. `again` throws
 * if the reader may read no more; then, as at any fault behind the first bytes, the file breaks off. Throws Refusal: 'not_found' when
 * nothing is left, 'unprocessable' where a label cannot be had in this format, 'unavailable' when files cannot be reached.
 */
export async function printRows(
  ctx: WithBatches,
  batch: BatchRecord,
  wish: { rows: readonly RowRange[]; style: LabelPrintOptions; again: () => Promise<void> },
): Promise<Readable> {
  const leftOut: ExcludedRow[] = []
  const at = { row: 0 }
  const papers = printablesOf(ctx, batch, wish.rows, wish.again, leftOut, at)
  const first = await papers.next()
  if (first.done) throw nothingToPrint(leftOut)
  const all = async function* (): AsyncGenerator<PrintableLabel> {
    yield first.value
    yield* papers
  }
  return streamFromWriter(async sink => {
    try {
      const broken = await renderLabels(all(), wish.style, sink)
      if (broken.length > 0)
        ctx.log.error(
          { batchId: batch.id, broken },
          'labels of carriers cannot be read, and were left out',
        )
    } catch (error) {
      throw error instanceof CannotPrintError
        ? formatRefusal(`Row ${at.row}: ${error.message}`)
        : error
    } finally {
      await papers.return(undefined)
    }
  }, ctx.closing)
}

type ExcludedRow = { row: number; reason: string }

/** `at` tells the row of the label that was given last. */
async function* printablesOf(
  ctx: WithBatches,
  batch: BatchRecord,
  rows: readonly RowRange[],
  again: () => Promise<void>,
  leftOut: ExcludedRow[],
  at: { row: number },
): AsyncGenerator<PrintableLabel> {
  const found = mapConcurrent(
    readSelectedRows(ctx, batch, rows, again),
    MAX_CONCURRENT_READS,
    async row => ({
      row,
      paper: await printableFor(ctx, row),
    }),
  )
  for await (const {
    row: { result },
    paper,
  } of found) {
    at.row = result.row
    if (typeof paper === 'string') leftOut.push({ row: result.row, reason: paper })
    else yield paper
  }
}

async function* readSelectedRows(
  ctx: WithBatches,
  batch: BatchRecord,
  ranges: readonly RowRange[],
  again: () => Promise<void>,
): AsyncGenerator<BatchFileRow> {
  let unchecked = 0
  for (const [from, to] of ranges) {
    for (let next = from; next <= to; next += ROWS_A_PAGE) {
      const page = await selectBatchRows(
        ctx.database.db,
        batch.id,
        next - 1,
        Math.min(ROWS_A_PAGE, to - next + 1),
      )
      unchecked += page.length
      for (const [place, row] of (await toBatchFileRows(ctx, batch, page)).entries())
        yield page[place]!.state === 'voiding' ? asBeingVoided(row) : row
      if (unchecked < ROWS_A_PAGE) continue
      unchecked = 0
      await again()
    }
  }
}

/** A row whose label its seller gives back: it may not be used any more, whatever the carrier will say. */
const asBeingVoided = (row: BatchFileRow): BatchFileRow => ({
  ...row,
  label: null,
  result: { ...row.result, reason: 'Being voided' },
})

/** What is printed of a row, or why nothing is. */
async function printableFor(
  ctx: WithBatches,
  { label, result }: BatchFileRow,
): Promise<PrintableLabel | string> {
  if (!label) return result.reason ?? 'No label was bought'
  if ('draw' in label) return label.draw
  const { orderId, fileName } = label.made
  const paper = await readLabelFileOrRefuse(ctx, label.made)
  if (!paper) await ctx.database.tx(tx => requestLabelFileAgain(tx, orderId, fileName!))
  return paper ?? missingLabelReason(undefined)!
}

/** So many rows are told of where there is nothing to print. */
const MAX_REASONS = 3

function nothingToPrint(leftOut: readonly ExcludedRow[]): Refusal {
  const told = leftOut
    .slice(0, MAX_REASONS)
    .map(({ row, reason }) => ` Row ${row}: ${reason.replace(/\.$/, '')}.`)
    .join('')
  const more =
    leftOut.length > MAX_REASONS
      ? ` And ${(leftOut.length - MAX_REASONS).toLocaleString('en-US')} more.`
      : ''
  return new Refusal(
    'not_found',
    `None of these rows has a label that can be printed.${told}${more}`,
  )
}

/** A label, or labels, that cannot be had in a format. */
export const formatRefusal = (text: string): Refusal =>
  new Refusal('unprocessable', text, { format: text })
