import type { ConfirmRow } from '#server/labels/auto-confirm.ts'
import type { BatchFileRow } from '#server/labels/batch-files.ts'
import { findLabelFiles } from '#server/labels/service.ts'
import type { CarrierLabelFileRecord } from '#server/labels/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { labelContentFor } from '#server/orders/label-content.ts'
import { bulkRowFromOrder, orderStatusFor } from '#server/orders/rules.ts'
import type { OrderRecord } from '#server/orders/rules.ts'
import { selectBatchRows } from '#server/orders/service.ts'
import { missingLabelReason } from './rules.ts'
import type { BatchRecord } from './store.ts'

const ROWS_A_PAGE = 250

export async function readConfirmRows(
  ctx: LabelContext,
  batch: BatchRecord,
): Promise<ConfirmRow[]> {
  const rows: ConfirmRow[] = []
  for await (const row of readBatchFileRows(ctx, batch)) rows.push(row.confirm)
  return rows
}

/** In the order of rows, reading one page at a time. */
export async function* readBatchFileRows(
  ctx: LabelContext,
  batch: BatchRecord,
): AsyncGenerator<BatchFileRow> {
  for (let after = 0; ;) {
    const page = await selectBatchRows(ctx.database.db, batch.id, after, ROWS_A_PAGE)
    yield* await toBatchFileRows(ctx, batch, page)
    if (page.length < ROWS_A_PAGE) return
    after = page.at(-1)!.rowNo!
  }
}

export async function toBatchFileRows(
  ctx: LabelContext,
  { total }: BatchRecord,
  orders: OrderRecord[],
): Promise<BatchFileRow[]> {
  const files = ctx.carrier.fetchLabel
    ? await findLabelFiles(
        ctx.database.db,
        orders.map(order => order.id),
      )
    : null
  return orders.map(order => toBatchFileRow(order, { index: order.rowNo!, total }, files))
}

/** `files`: the label files of the carrier; null if labels are drawn here. */
function toBatchFileRow(
  order: OrderRecord,
  position: { index: number; total: number },
  files: Map<number, CarrierLabelFileRecord> | null,
): BatchFileRow {
  const isBought = order.state === 'purchased' || order.state === 'voiding'
  const file = isBought && files ? files.get(order.id) : undefined
  const missing = isBought && files ? missingLabelReason(file) : null
  const quantity = Number.parseInt(order.package.quantity, 10)
  return {
    result: {
      row: order.rowNo!,
      orderId: order.orderRef,
      orderItemId: order.itemRef,
      status: orderStatusFor(order.state),
      trackingNumber: order.trackingNumber,
      // Without refunded prices, so that the column adds up to the final cost of the bulk order.
      priceCents: isBought ? order.price : null,
      reason: order.state === 'voided' ? 'Voided' : (missing ?? order.reason),
      input: bulkRowFromOrder(order),
    },
    confirm: {
      row: order.rowNo!,
      orderId: order.orderRef,
      orderItemId: order.itemRef,
      quantity: quantity > 0 ? quantity : null,
      serviceName: order.serviceName,
      bought: isBought ? { trackingNumber: order.trackingNumber!, at: order.purchasedAt! } : null,
    },
    label:
      !isBought || missing !== null
        ? null
        : file
          ? { made: file }
          : { draw: labelContentFor(order, position) },
  }
}
