import { readConfirmRows } from '#server/batches/batch-file-rows.ts'
import type { BatchRecord } from '#server/batches/service.ts'
import type { ConfirmEnding } from '#server/labels/auto-confirm.ts'
import { planFromRows, writeConfirmation } from '#server/labels/confirm-file.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Sink } from '#server/platform/storage/port.ts'
import { formatRefusal } from './format-refusal.ts'

const TYPES: Record<ConfirmEnding, string> = {
  txt: 'text/plain; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

export const isConfirmationFormat = (format: string): format is ConfirmEnding => format in TYPES

const endingOf = (name: string): ConfirmEnding =>
  name.slice(name.lastIndexOf('.') + 1) as ConfirmEnding

export const confirmationType = (name: string): string => TYPES[endingOf(name)]

/** For a bulk order without a confirmation file: without order ids, or after all labels with one were voided. */
export const noOrderIds = (): Refusal =>
  new Refusal(
    'nothing_to_download',
    'This bulk order has no valid label with an order id to confirm',
  )

/** Another format than that of the source was asked for. */
export const otherConfirmation = (name: string): Refusal =>
  formatRefusal(`The confirmation file of this bulk order is available as ${endingOf(name)}.`)

/** Throws what `renderConfirmation` throws before it writes. */
export const assertConfirmable = async (ctx: LabelContext, batch: BatchRecord): Promise<void> =>
  void (await planConfirmable(ctx, batch))

/** Without labels that are being voided. `separator`: of Amazon's file, tabs by default. */
export async function renderConfirmation(
  ctx: LabelContext,
  batch: BatchRecord,
  separator: '\t' | ',' | undefined,
  sink: Sink,
): Promise<void> {
  const { plan, rows } = await planConfirmable(ctx, batch)
  await writeConfirmation(sink, plan, rows, separator)
}

/** Throws Refusal when all that the stored file confirms is being voided. */
async function planConfirmable(ctx: LabelContext, batch: BatchRecord) {
  const rows = () => readConfirmRows(ctx, batch, 'rendered')
  const plan = await planFromRows(rows, batch.source)
  if (!plan)
    throw new Refusal(
      'nothing_to_download',
      'No order can be confirmed: the labels with order ids are voided, being voided or were not bought',
    )
  return { plan, rows }
}
