import type { WithBatches } from '#server/batches/close.ts'
import type { BatchRequester } from '#server/batches/service.ts'
/** One label, in whatever format its seller wants it. */
import { CannotPrintError } from '#server/labels/png-zpl.ts'
import { renderLabel } from '#server/labels/print.ts'
import type { LabelPrintOptions } from '#server/labels/print.ts'
import { labelContentFor } from '#server/orders/label-content.ts'
import { labelFileName } from '#server/orders/rules.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { getOrderFor } from '#server/purchasing/place.ts'
import { getLabelFile } from './label-file.ts'
import { formatRefusal } from './printing.ts'

/**
 * The label that has this name, drawn or as its carrier made it. Throws Refusal: 'not_found' for a name that is none, for somebody
 * else's label and for one that was voided, 'conflict' while it is being voided, 'unavailable' while its carrier has not sent it,
 * 'unprocessable' where it cannot be had in this format.
 */
export async function printSingleLabel(
  ctx: WithBatches,
  caller: BatchRequester,
  { orderId, name, style }: { orderId: number; name: string; style: LabelPrintOptions },
): Promise<Buffer> {
  const order = await getOrderFor(ctx, caller, orderId)
  const isIts = name === labelFileName(order.id, order.pdfKey, ctx.config.mode === 'sandbox')
  if (!isIts) throw new Refusal('not_found', 'There is no such file')
  if (order.state === 'voided')
    throw new Refusal('not_found', 'This label was voided and cannot be printed any more')
  if (order.state === 'voiding')
    throw new Refusal('conflict', 'This label is being voided and cannot be printed')
  if (order.trackingNumber === null) throw new Refusal('not_found', 'There is no such file')
  const paper = ctx.carrier.fetchLabel ? await getLabelFile(ctx, order.id) : labelContentFor(order)
  try {
    return await renderLabel(paper, style)
  } catch (error) {
    if (error instanceof CannotPrintError) throw formatRefusal(error.message)
    throw error
  }
}
