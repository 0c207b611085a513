import { readBatchFileRows } from '#server/batches/batch-file-rows.ts'
import type { BatchRecord } from '#server/batches/service.ts'
import { RESULT_SHEET, resultCells } from '#server/labels/result-csv.ts'
import type { LabelContext } from '#server/orders/context.ts'
import type { Sink } from '#server/platform/storage/port.ts'
import { writeWorkbook } from '#server/platform/xlsx.ts'
import type { SheetCell } from '#server/platform/xlsx.ts'

const ROWS_A_PAGE = 250

/** The rows of the result file as a workbook. `again` throws when the caller has lost access. */
export const writeResultWorkbook = (
  ctx: LabelContext,
  batch: BatchRecord,
  again: () => Promise<void>,
  sink: Sink,
): Promise<void> => writeWorkbook(sink, RESULT_SHEET, resultPages(ctx, batch, again))

async function* resultPages(
  ctx: LabelContext,
  batch: BatchRecord,
  again: () => Promise<void>,
): AsyncGenerator<SheetCell[][]> {
  let page: SheetCell[][] = []
  for await (const { result } of readBatchFileRows(ctx, batch)) {
    page.push(resultCells(result))
    if (page.length < ROWS_A_PAGE) continue
    yield page
    page = []
    await again()
  }
  yield page
}
