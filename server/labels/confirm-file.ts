import type { SourceId } from '#contract/sources.ts'
import type { Sink } from '#server/platform/storage/port.ts'
import { writeWorkbook } from '#server/platform/xlsx.ts'
import { planConfirmation } from './auto-confirm.ts'
import type { ConfirmPlan, ConfirmRow, RowIds } from './auto-confirm.ts'
import { confirmHeader, confirmLines } from './confirm-text.ts'
import { createWalmartColumns, walmartLines } from './confirm-workbook.ts'

/** Reads the rows again each time, in table order. */
export type ConfirmRows = () => AsyncIterable<ConfirmRow>

/** What a plan needs of a row, so that a long batch is not kept in memory. */
export const rowIdsOf = ({ row, orderId, orderItemId, bought, items }: ConfirmRow): RowIds => ({
  row,
  orderId,
  orderItemId,
  bought: bought !== null,
  ...(items && {
    items: items.map(item => ({ orderId: item.orderId, orderItemId: item.orderItemId })),
  }),
})

export async function planFromRows(
  rows: ConfirmRows,
  source: SourceId | null,
): Promise<ConfirmPlan | null> {
  const ids: RowIds[] = []
  for await (const row of rows()) ids.push(rowIdsOf(row))
  return planConfirmation(ids, source)
}

/** Lines written at once, in characters. */
const WRITTEN_AT_ONCE = 64 * 1024

/** `separator`: of Amazon's file, tabs by default. */
export async function writeConfirmation(
  sink: Sink,
  plan: ConfirmPlan,
  rows: ConfirmRows,
  separator: '\t' | ',' = '\t',
): Promise<void> {
  const { format } = plan
  if (format === 'walmart') return writeWalmartWorkbook(sink, plan, rows)
  const style = { format, separator }
  let text = confirmHeader(style)
  for await (const row of rows()) {
    text += confirmLines(row, plan, style)
    if (text.length < WRITTEN_AT_ONCE) continue
    await sink.write(Buffer.from(text))
    text = ''
  }
  await sink.write(Buffer.from(text))
}

const LINES_A_PAGE = 200

async function writeWalmartWorkbook(
  sink: Sink,
  plan: ConfirmPlan,
  rows: ConfirmRows,
): Promise<void> {
  const found = createWalmartColumns()
  for await (const row of rows()) found.add(row, plan)
  const columns = found.columns()
  async function* pages(): AsyncGenerator<string[][]> {
    let page: string[][] = []
    for await (const row of rows()) {
      page.push(...walmartLines(row, plan, columns))
      if (page.length < LINES_A_PAGE) continue
      yield page
      page = []
    }
    yield page
  }
  const sheet = { name: 'Po Details', columns: columns.map(header => ({ header })) }
  await writeWorkbook(sink, sheet, pages())
}
