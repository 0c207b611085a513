import { readBatchFileRows, FILE_ROWS_A_PAGE } from '#server/batches/batch-file-rows.ts'
import type { BatchRecord } from '#server/batches/service.ts'
import {
  RESULT_SHEET,
  resultCells,
  resultHeaderLine,
  resultLine,
} from '#server/labels/result-csv.ts'
import type { ResultRow } from '#server/labels/result-csv.ts'
import type { LabelContext } from '#server/orders/context.ts'
import type { Sink } from '#server/platform/storage/port.ts'
import { writeWorkbook } from '#server/platform/xlsx.ts'
import type { SheetCell } from '#server/platform/xlsx.ts'

/** The rows of the result file as a workbook. `again` throws when the caller has lost access. */
export const writeResultWorkbook = (
  ctx: LabelContext,
  batch: BatchRecord,
  again: () => Promise<void>,
  sink: Sink,
): Promise<void> => writeWorkbook(sink, RESULT_SHEET, cellPages(ctx, batch, again))

/** The result file as its rows are now. */
export async function writeResultCsv(
  ctx: LabelContext,
  batch: BatchRecord,
  again: () => Promise<void>,
  sink: Sink,
): Promise<void> {
  await sink.write(Buffer.from(resultHeaderLine()))
  for await (const page of resultPages(ctx, batch, again))
    await sink.write(Buffer.from(page.map(resultLine).join('')))
}

async function* cellPages(
  ctx: LabelContext,
  batch: BatchRecord,
  again: () => Promise<void>,
): AsyncGenerator<SheetCell[][]> {
  for await (const page of resultPages(ctx, batch, again)) yield page.map(resultCells)
}

async function* resultPages(
  ctx: LabelContext,
  batch: BatchRecord,
  again: () => Promise<void>,
): AsyncGenerator<ResultRow[]> {
  let page: ResultRow[] = []
  for await (const { result } of readBatchFileRows(ctx, batch, 'rendered')) {
    page.push(result)
    if (page.length < FILE_ROWS_A_PAGE) continue
    yield page
    page = []
    await again()
  }
  yield page
}
