/** Labels of a bulk order in a format, or of some rows of it: made while they are read, as the rows are at that moment. */
import type { Readable } from 'node:stream'
import { parseRowList, rowListText } from '#contract/row-list.ts'
import type { RowRange } from '#contract/row-list.ts'
import { ahead } from '#server/labels/ahead.ts'
import { READ_AHEAD } from '#server/labels/batch-files.ts'
import type { FiledRow } from '#server/labels/batch-files.ts'
import { wantAgain } from '#server/labels/carrier-paper-store.ts'
import { readPaperNow } from '#server/labels/carrier-paper.ts'
import { streamed } from '#server/labels/files/streamed.ts'
import { CannotPrint } from '#server/labels/picture-zpl.ts'
import { writeMany } from '#server/labels/print.ts'
import type { Paper, Style } from '#server/labels/print.ts'
import { selectBatchRows } from '#server/orders/store.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { WithBatches } from './close.ts'
import { filedOf } from './filed.ts'
import { whyUnprinted } from './rules.ts'
import type { BatchRecord } from './store.ts'

/** Rows read at a time: no label is older than the time its reader takes for so many. */
const ROWS_A_PAGE = 200

/** The rows that a list names; all of them without one. Throws Refusal 'unprocessable', which names the piece. */
export function rowsIn(list: string | undefined, total: number): RowRange[] {
  if (list === undefined) return [[1, total]]
  const found = parseRowList(list, total)
  if ('problem' in found) throw new Refusal('unprocessable', found.problem, { rows: found.problem })
  return found.rows
}

/** What stands in the name of a file for its rows: '-rows-3-7_12', or less where they are many. */
export function rowsInName(rows: readonly RowRange[]): string {
  const text = rowListText(rows).replaceAll(',', '_')
  return text.length <= 40 ? `-rows-${text}` : '-some-rows'
}

/**
 * These rows' labels as a file. A row without a label that can be printed, or whose label is being voided, is left out. `again` throws
 * if the reader may read no more; then, as at any fault behind the first bytes, the file breaks off. Throws Refusal: 'not_found' when
 * nothing is left, 'unprocessable' where a label cannot be had in this format, 'unavailable' when files cannot be reached.
 */
export async function printRows(
  house: WithBatches,
  batch: BatchRecord,
  wish: { rows: readonly RowRange[]; style: Style; again: () => Promise<void> },
): Promise<Readable> {
  const leftOut: LeftOut[] = []
  const at = { row: 0 }
  const papers = papersOf(house, batch, wish.rows, wish.again, leftOut, at)
  const first = await papers.next()
  if (first.done) throw nothingLeft(leftOut)
  const all = async function* (): AsyncGenerator<Paper> {
    yield first.value
    yield* papers
  }
  return streamed(async sink => {
    try {
      const broken = await writeMany(all(), wish.style, sink)
      if (broken.length > 0)
        house.log.error(
          { batchId: batch.id, broken },
          'labels of carriers cannot be read, and were left out',
        )
    } catch (error) {
      throw error instanceof CannotPrint ? unfit(`Row ${at.row}: ${error.message}`) : error
    } finally {
      await papers.return(undefined)
    }
  }, house.closing)
}

type LeftOut = { row: number; reason: string }

/** `at` tells the row of the label that was given last. */
async function* papersOf(
  house: WithBatches,
  batch: BatchRecord,
  rows: readonly RowRange[],
  again: () => Promise<void>,
  leftOut: LeftOut[],
  at: { row: number },
): AsyncGenerator<Paper> {
  const found = ahead(rowsOf(house, batch, rows, again), READ_AHEAD, async row => ({
    row,
    paper: await paperOn(house, row),
  }))
  for await (const {
    row: { result },
    paper,
  } of found) {
    at.row = result.row
    if (typeof paper === 'string') leftOut.push({ row: result.row, reason: paper })
    else yield paper
  }
}

async function* rowsOf(
  house: WithBatches,
  batch: BatchRecord,
  ranges: readonly RowRange[],
  again: () => Promise<void>,
): AsyncGenerator<FiledRow> {
  let unchecked = 0
  for (const [from, to] of ranges) {
    for (let next = from; next <= to; next += ROWS_A_PAGE) {
      const page = await selectBatchRows(
        house.database.db,
        batch.id,
        next - 1,
        Math.min(ROWS_A_PAGE, to - next + 1),
      )
      unchecked += page.length
      for (const [place, row] of (await filedOf(house, batch, page)).entries())
        yield page[place]!.state === 'voiding' ? given(row) : row
      if (unchecked < ROWS_A_PAGE) continue
      unchecked = 0
      await again()
    }
  }
}

/** A row whose label its seller gives back: it may not be used any more, whatever the carrier will say. */
const given = (row: FiledRow): FiledRow => ({
  ...row,
  printed: null,
  result: { ...row.result, reason: 'Being voided' },
})

/** What is printed of a row, or why nothing is. */
async function paperOn(house: WithBatches, { printed, result }: FiledRow): Promise<Paper | string> {
  if (!printed) return result.reason ?? 'No label was bought'
  if ('draw' in printed) return printed.draw
  const { orderId, fileName } = printed.made
  const paper = await readPaperNow(house, printed.made)
  if (!paper) await house.database.tx(tx => wantAgain(tx, orderId, fileName!))
  return paper ?? whyUnprinted(undefined)!
}

/** So many rows are told of where there is nothing to print. */
const TOLD = 3

function nothingLeft(leftOut: readonly LeftOut[]): Refusal {
  const told = leftOut
    .slice(0, TOLD)
    .map(({ row, reason }) => ` Row ${row}: ${reason.replace(/\.$/, '')}.`)
    .join('')
  const more =
    leftOut.length > TOLD ? ` And ${(leftOut.length - TOLD).toLocaleString('en-US')} more.` : ''
  return new Refusal(
    'not_found',
    `None of these rows has a label that can be printed.${told}${more}`,
  )
}

/** A label, or labels, that cannot be had in a format. */
export const unfit = (text: string): Refusal => new Refusal('unprocessable', text, { format: text })
