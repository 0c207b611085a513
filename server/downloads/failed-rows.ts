/** Failed rows of a bulk order as a file that can be uploaded again. */
import {
  FAULTY_ROW_HEADERS,
  faultyRowSheetCells,
  faultyRowLine,
  faultyRowsHead,
} from '#contract/faulty-rows.ts'
import type { SubmittedRow } from '#contract/rows.ts'
import type { TableFormat } from '#contract/table-files.ts'
import { countEditableRows, getBatchFor, listEditableRows } from '#server/batches/service.ts'
import type { BatchCaller, EditableRow } from '#server/batches/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { ROWS_A_PAGE } from '#server/platform/http/long-answers.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { yieldToOthers } from '#server/platform/process/turns.ts'
import type { Sink } from '#server/platform/storage/port.ts'
import { MAX_CELL_LENGTH, writeWorkbook } from '#server/platform/xlsx.ts'
import type { Sheet } from '#server/platform/xlsx.ts'

const SHEET: Sheet = {
  name: 'Failed rows',
  columns: FAULTY_ROW_HEADERS.map(header => ({
    header,
    ...(header === 'REASON' && { width: 60 }),
  })),
}

const submittedRow = ({ data, items }: EditableRow): SubmittedRow => ({
  ...data,
  ...(items && { items }),
})

/**
 * Throws Refusal 404: of another user, or without failed rows. `again` throws when the
 * caller has lost access. Returns what writes the file.
 */
export async function openFailedRows(
  ctx: LabelContext,
  caller: BatchCaller,
  batchId: number,
  again: () => Promise<void>,
): Promise<(sink: Sink, format: TableFormat) => Promise<void>> {
  const { id } = await getBatchFor(ctx, caller, batchId)
  if ((await countEditableRows(ctx.database.db, id)) === 0)
    throw new Refusal('nothing_to_download', 'This bulk order has no failed rows to edit')
  const pages = () => failedPages(ctx, id, again)
  return (sink, format) => (format === 'xlsx' ? writeSheet(sink, pages()) : writeCsv(sink, pages()))
}

async function* failedPages(
  ctx: LabelContext,
  batchId: number,
  again: () => Promise<void>,
): AsyncGenerator<EditableRow[]> {
  for (let after = 0; ;) {
    const page = await listEditableRows(ctx.database.db, batchId, after, ROWS_A_PAGE)
    yield page
    if (page.length < ROWS_A_PAGE) return
    after = page.at(-1)!.row
    await again()
  }
}

async function writeCsv(sink: Sink, pages: AsyncIterable<EditableRow[]>): Promise<void> {
  await sink.write(Buffer.from(faultyRowsHead()))
  for await (const page of pages) {
    const lines = page.map(row => faultyRowLine(submittedRow(row), row.reason))
    await sink.write(Buffer.from(lines.join('')))
    await yieldToOthers()
  }
}

async function writeSheet(sink: Sink, pages: AsyncIterable<EditableRow[]>): Promise<void> {
  async function* cells() {
    for await (const page of pages)
      yield page.map(row => faultyRowSheetCells(submittedRow(row), row.reason, MAX_CELL_LENGTH))
  }
  await writeWorkbook(sink, SHEET, cells())
}
