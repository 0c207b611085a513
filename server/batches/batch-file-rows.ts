/** A batch's rows as its files tell of them. */
import type { ConfirmRow } from '#server/labels/auto-confirm.ts'
import type { BatchFileRow } from '#server/labels/batch-files.ts'
import { findLabelFiles } from '#server/labels/carrier-label-file-store.ts'
import type { CarrierLabelFileRecord } from '#server/labels/carrier-label-file-store.ts'
import { labelContentFor } from '#server/orders/label-content.ts'
import { orderStatusFor, bulkRowFromOrder } from '#server/orders/rules.ts'
import { selectBatchRows } from '#server/orders/store.ts'
import type { OrderRecord } from '#server/orders/store.ts'
import type { LabelContext } from '#server/purchasing/settle.ts'
import { missingLabelReason } from './rules.ts'
import type { BatchRecord } from './store.ts'

const ROWS_A_PAGE = 250

/** What the confirmation file is made of. */
export async function readConfirmRows(
  ctx: LabelContext,
  batch: BatchRecord,
): Promise<ConfirmRow[]> {
  const rows: ConfirmRow[] = []
  for await (const row of readBatchFileRows(ctx, batch)) rows.push(row.confirm)
  return rows
}

/** A batch's rows for its files, in the order of the table, a page at a time. */
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

/** These rows of the batch for its files. */
export async function toBatchFileRows(
  ctx: LabelContext,
  { total }: BatchRecord,
  orders: OrderRecord[],
): Promise<BatchFileRow[]> {
  const kept = ctx.carrier.fetchLabel
    ? await findLabelFiles(
        ctx.database.db,
        orders.map(order => order.id),
      )
    : null
  return orders.map(order => toBatchFileRow(order, { index: order.rowNo!, total }, kept))
}

/** `kept`: the files of labels that the carrier makes; null where we draw them. */
function toBatchFileRow(
  order: OrderRecord,
  position: { index: number; total: number },
  kept: Map<number, CarrierLabelFileRecord> | null,
): BatchFileRow {
  const good = order.state === 'purchased' || order.state === 'voiding'
  const made = good && kept ? kept.get(order.id) : undefined
  const unprinted = good && kept ? missingLabelReason(made) : null
  const quantity = Number.parseInt(order.package.quantity, 10)
  return {
    result: {
      row: order.rowNo!,
      orderId: order.orderRef,
      orderItemId: order.itemRef,
      status: orderStatusFor(order.state),
      trackingNumber: order.trackingNumber,
      // What was paid back is no price: the column adds up to what the bulk order cost in the end.
      priceCents: good ? order.price : null,
      reason: order.state === 'voided' ? 'Voided' : (unprinted ?? order.reason),
      input: bulkRowFromOrder(order),
    },
    confirm: {
      row: order.rowNo!,
      orderId: order.orderRef,
      orderItemId: order.itemRef,
      quantity: quantity > 0 ? quantity : null,
      serviceName: order.serviceName,
      bought: good ? { trackingNumber: order.trackingNumber!, at: order.purchasedAt! } : null,
    },
    label:
      !good || unprinted !== null
        ? null
        : made
          ? { made }
          : { draw: labelContentFor(order, position) },
  }
}
