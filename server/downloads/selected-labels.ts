/** Labels that a user chose one by one, as one file. */
import type { LabelFormat } from '#contract/downloads.ts'
import { toBatchFileRows } from '#server/batches/batch-file-rows.ts'
import type { BatchCaller } from '#server/batches/service.ts'
import { MAX_CONCURRENT_READS } from '#server/labels/batch-files.ts'
import type { BatchFileRow } from '#server/labels/batch-files.ts'
import { mapConcurrent } from '#server/labels/map-concurrent.ts'
import { CannotPrintError } from '#server/labels/png-zpl.ts'
import { renderLabels } from '#server/labels/print.ts'
import type { LabelPrintOptions, PrintableLabel } from '#server/labels/print.ts'
import { getOwnOrders } from '#server/orders/access.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { labelContentFor } from '#server/orders/label-content.ts'
import type { OrderRecord } from '#server/orders/rules.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Sink } from '#server/platform/storage/port.ts'
import { formatRefusal } from './format-refusal.ts'
import { printableFor } from './printing.ts'
import { fetchZplFiles, withZplFiles } from './zpl-files.ts'

const MAX_REASONS = 3

export type SelectedLabel = { orderId: number; row: BatchFileRow }

/**
 * The labels in the order of `ids`, checked before anything is sent. Throws Refusal: 404 for
 * an unknown id and for another user's, 409 with the labels that cannot be printed.
 */
export async function selectPrintable(
  ctx: LabelContext,
  caller: BatchCaller,
  ids: readonly number[],
  format: LabelFormat,
): Promise<SelectedLabel[]> {
  const orders = await getOwnOrders(ctx, caller, ids)
  const rows = await fileRowsOf(ctx, orders)
  const unprintable = orders.flatMap(({ id }, at) =>
    rows[at]!.label ? [] : [`Label ${id}: ${reasonOf(rows[at]!)}.`],
  )
  if (unprintable.length > 0) throw cannotPrint(unprintable)
  if (format === 'zpl') await fetchZplFiles(ctx, eachOf(rows))
  const found = format === 'zpl' ? await withZplFiles(ctx, rows) : rows
  return orders.map(({ id }, at) => ({ orderId: id, row: found[at]! }))
}

/** Writes them. Throws Refusal 422 if one is not available in this format. */
export async function printSelected(
  ctx: LabelContext,
  labels: readonly SelectedLabel[],
  { style, again }: { style: LabelPrintOptions; again: () => Promise<void> },
  sink: Sink,
): Promise<void> {
  let last = 0
  const labelsToPrint = async function* (): AsyncGenerator<PrintableLabel> {
    const read = async ({ orderId, row }: SelectedLabel) => ({
      orderId,
      label: await printableFor(ctx, row),
    })
    for await (const { orderId, label } of mapConcurrent(
      eachOf(labels),
      MAX_CONCURRENT_READS,
      read,
    )) {
      last = orderId
      if (typeof label === 'string') throw cannotPrint([`Label ${orderId}: ${label}.`])
      yield label
    }
  }
  await again()
  try {
    const broken = await renderLabels(labelsToPrint(), style, sink)
    if (broken.length > 0) ctx.log.error({ broken }, 'unreadable label files were left out')
  } catch (error) {
    throw error instanceof CannotPrintError
      ? formatRefusal(`Label ${last}: ${error.message}`)
      : error
  }
}

/** As rows of one file; without the numbers that rows of a bulk order have on their labels. */
async function fileRowsOf(ctx: LabelContext, orders: OrderRecord[]): Promise<BatchFileRow[]> {
  const numbered = orders.map((order, at) => ({ ...order, rowNo: at + 1 }))
  const rows = await toBatchFileRows(ctx, { total: orders.length }, numbered, 'rendered')
  return rows.map((row, at) =>
    row.label && 'draw' in row.label
      ? { ...row, label: { draw: labelContentFor(orders[at]!) } }
      : row,
  )
}

const reasonOf = ({ result }: BatchFileRow): string =>
  (result.reason ?? 'No label was bought').replace(/\.$/, '')

function cannotPrint(reasons: readonly string[]): Refusal {
  const more = reasons.length - MAX_REASONS
  return new Refusal(
    'labels_not_valid',
    [
      'Some of these labels cannot be printed. Leave them out and print the others.',
      ...reasons.slice(0, MAX_REASONS),
      ...(more > 0 ? [`And ${more} more.`] : []),
    ].join(' '),
  )
}

async function* eachOf<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}
