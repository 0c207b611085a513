/** Rows are read and rendered while they are sent. */
import type { LabelFormat } from '#contract/downloads.ts'
import { parseRowList, rowListText } from '#contract/row-ranges.ts'
import type { RowRange } from '#contract/row-ranges.ts'
import { toBatchFileRows } from '#server/batches/batch-file-rows.ts'
import { missingLabelReason } from '#server/batches/rules.ts'
import type { BatchRecord } from '#server/batches/service.ts'
import { MAX_CONCURRENT_READS } from '#server/labels/batch-files.ts'
import type { BatchFileRow } from '#server/labels/batch-files.ts'
import { readLabelFileOrRefuse } from '#server/labels/carrier-label-file.ts'
import { mapConcurrent } from '#server/labels/map-concurrent.ts'
import { CannotPrintError } from '#server/labels/png-zpl.ts'
import { renderLabels } from '#server/labels/print.ts'
import type { PrintableLabel, LabelPrintOptions } from '#server/labels/print.ts'
import { requestLabelFileAgain } from '#server/labels/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { selectBatchRows } from '#server/orders/service.ts'
import { Refusal, refuseField } from '#server/platform/http/refusal.ts'
import { yieldToOthers } from '#server/platform/process/turns.ts'
import type { Sink } from '#server/platform/storage/port.ts'
import { formatRefusal } from './format-refusal.ts'
import { fetchZplFiles, withZplFiles } from './zpl-files.ts'

/** No label is older than the time in which the client reads this many rows. */
const ROWS_A_PAGE = 200
/** Drawing so many labels takes some 5 ms. */
const ROWS_BETWEEN_YIELDS = 20

/** Throws Refusal 422 with the wrong part of the list. */
export function parseRowSelection(list: string | undefined, total: number): RowRange[] {
  if (list === undefined) return [[1, total]]
  const found = parseRowList(list, total)
  if ('problem' in found) throw refuseField('rows', 'row_list_invalid', found.problem)
  return found.rows
}

/** '-rows-3-7_12', or '-some-rows' if that is too long. */
export function rowsSuffix(rows: readonly RowRange[]): string {
  const text = rowListText(rows).replaceAll(',', '_')
  return text.length <= 40 ? `-rows-${text}` : '-some-rows'
}

type RowSelection = {
  rows: readonly RowRange[]
  format: LabelFormat
  again: () => Promise<void>
}

/**
 * Excludes rows without a printable label, and labels that are being voided. Throws Refusal, before
 * it writes: 404 if no row is left, 422 if a label is not available in this
 * format, 503 if label files cannot be read.
 */
export async function printRows(
  ctx: LabelContext,
  batch: BatchRecord,
  { style, ...selected }: Omit<RowSelection, 'format'> & { style: LabelPrintOptions },
  sink: Sink,
): Promise<void> {
  const at = { row: 0 }
  const selection = { ...selected, format: style.format }
  if (style.format === 'zpl')
    await fetchZplFiles(ctx, readSelectedRows(ctx, batch, { ...selection, format: 'pdf' }))
  const { first, rest } = await startPrinting(ctx, batch, selection, at)
  const all = async function* (): AsyncGenerator<PrintableLabel> {
    yield first
    yield* rest
  }
  try {
    const broken = await renderLabels(all(), style, sink)
    if (broken.length > 0)
      ctx.log.error({ batchId: batch.id, broken }, 'unreadable label files were left out')
  } catch (error) {
    throw error instanceof CannotPrintError
      ? formatRefusal(`Row ${at.row}: ${error.message}`)
      : error
  } finally {
    await rest.return(undefined)
  }
}

/** Throws Refusal 404 like `printRows`, but renders nothing. */
export async function assertPrintable(
  ctx: LabelContext,
  batch: BatchRecord,
  selection: RowSelection,
): Promise<void> {
  const { rest } = await startPrinting(ctx, batch, selection, { row: 0 })
  await rest.return(undefined)
}

async function startPrinting(
  ctx: LabelContext,
  batch: BatchRecord,
  selection: RowSelection,
  at: { row: number },
): Promise<{ first: PrintableLabel; rest: AsyncGenerator<PrintableLabel> }> {
  const excluded: ExcludedRow[] = []
  const rest = printablesOf(ctx, batch, selection, excluded, at)
  const first = await rest.next()
  if (first.done) throw nothingToPrint(excluded)
  return { first: first.value, rest }
}

type ExcludedRow = { row: number; reason: string }

/** `at`: updated to the row of the last label. */
async function* printablesOf(
  ctx: LabelContext,
  batch: BatchRecord,
  selection: RowSelection,
  excluded: ExcludedRow[],
  at: { row: number },
): AsyncGenerator<PrintableLabel> {
  let seen = 0
  const found = mapConcurrent(
    readSelectedRows(ctx, batch, selection),
    MAX_CONCURRENT_READS,
    async row => ({
      row,
      label: await printableFor(ctx, row),
    }),
  )
  for await (const {
    row: { result },
    label,
  } of found) {
    at.row = result.row
    if (++seen % ROWS_BETWEEN_YIELDS === 0) await yieldToOthers()
    if (typeof label === 'string') excluded.push({ row: result.row, reason: label })
    else yield label
  }
}

async function* readSelectedRows(
  ctx: LabelContext,
  batch: BatchRecord,
  { rows: ranges, format, again }: RowSelection,
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
      const rows = await toBatchFileRows(ctx, batch, page, 'rendered')
      yield* format === 'zpl' ? await withZplFiles(ctx, rows) : rows
      if (unchecked < ROWS_A_PAGE) continue
      unchecked = 0
      await again()
    }
  }
}

/** Or the reason why there is no label. */
export async function printableFor(
  ctx: LabelContext,
  { label, result }: BatchFileRow,
): Promise<PrintableLabel | string> {
  if (!label) return result.reason ?? 'No label was bought'
  if ('draw' in label) return label.draw
  const { orderId, fileName } = label.made
  const file = await readLabelFileOrRefuse(ctx, label.made)
  if (!file) await ctx.database.tx(tx => requestLabelFileAgain(tx, orderId, fileName!))
  return file ?? missingLabelReason(undefined)!
}

const MAX_REASONS = 3

function nothingToPrint(excluded: readonly ExcludedRow[]): Refusal {
  const reasons = excluded
    .slice(0, MAX_REASONS)
    .map(({ row, reason }) => ` Row ${row}: ${reason.replace(/\.$/, '')}.`)
    .join('')
  const more =
    excluded.length > MAX_REASONS
      ? ` And ${(excluded.length - MAX_REASONS).toLocaleString('en-US')} more.`
      : ''
  return new Refusal(
    'nothing_to_download',
    `None of these rows has a label that can be printed.${reasons}${more}`,
  )
}
