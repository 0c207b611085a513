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

export const noOrderIds = (): Refusal =>
  new Refusal('nothing_to_download', 'This bulk order has no order ids to confirm')

/** Another format than that of the source was asked for. */
export const otherConfirmation = (name: string): Refusal =>
  formatRefusal(`The confirmation file of this bulk order is available as ${endingOf(name)}.`)

/** Without labels that are being voided. `separator`: of Amazon's file, tabs by default. */
export async function renderConfirmation(
  ctx: LabelContext,
  batch: BatchRecord,
  separator: '\t' | ',' | undefined,
  sink: Sink,
): Promise<void> {
  const rows = () => readConfirmRows(ctx, batch, 'rendered')
  const plan = await planFromRows(rows, batch.source)
  if (!plan) throw noOrderIds()
  await writeConfirmation(sink, plan, rows, separator)
}
