import type { LabelFormat } from '#contract/downloads.ts'
import type { BatchCaller } from '#server/batches/service.ts'
import type { CarrierLabelFile } from '#server/labels/carrier-pdf.ts'
import { CannotPrintError } from '#server/labels/png-zpl.ts'
import { renderLabel } from '#server/labels/print.ts'
import type { LabelPrintOptions } from '#server/labels/print.ts'
import { getOrderFor } from '#server/orders/access.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { contextOfLabel } from '#server/orders/label-account.ts'
import { labelContentFor } from '#server/orders/label-content.ts'
import { labelFileName } from '#server/orders/rules.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { formatRefusal } from './format-refusal.ts'
import { getLabelFile, getLabelFileAs } from './label-file.ts'

/**
 * The label of this name, drawn here or made by the carrier. Throws Refusal: 404 for an unknown name, a label of another user
 * and a voided label, 409 while it is being voided, 503 until the carrier has sent its file, 422 if it is
 * not available in this format.
 */
export async function printSingleLabel(
  ctx: LabelContext,
  caller: BatchCaller,
  { orderId, name, style }: { orderId: number; name: string; style: LabelPrintOptions },
): Promise<Buffer> {
  const order = await getOrderFor(ctx, caller, orderId)
  const isNameOfOrder =
    name === labelFileName(order.id, order.pdfKey, ctx.config.mode === 'sandbox')
  if (!isNameOfOrder) throw new Refusal('file_unknown', 'There is no such file')
  if (order.state === 'voided')
    throw new Refusal('label_voided', 'This label was voided and cannot be printed anymore')
  if (order.state === 'voiding')
    throw new Refusal('label_voiding', 'This label is being voided and cannot be printed')
  if (order.trackingNumber === null) throw new Refusal('file_unknown', 'There is no such file')
  const label = ctx.carrier.fetchLabel
    ? await carrierFileFor(ctx, order.id, style.format)
    : labelContentFor(order)
  try {
    return await renderLabel(label, style)
  } catch (error) {
    if (error instanceof CannotPrintError) throw formatRefusal(error.message)
    throw error
  }
}

/** PNG and ZPL come from the carrier if it makes them; everything else from the file of the purchase. */
async function carrierFileFor(
  ctx: LabelContext,
  orderId: number,
  format: LabelFormat,
): Promise<CarrierLabelFile<number>> {
  const { carrier } = await contextOfLabel(ctx, orderId)
  if ((format === 'png' || format === 'zpl') && carrier.labelFormats.includes(format)) {
    const file = await getLabelFileAs(ctx, { orderId, format })
    if (file) return file
  }
  return getLabelFile(ctx, orderId)
}
