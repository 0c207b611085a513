import type { RowItem } from '#contract/rows.ts'
import type { ConfirmRow } from '#server/labels/auto-confirm.ts'
import type { BatchFileRow } from '#server/labels/batch-files.ts'
import { findLabelFiles } from '#server/labels/service.ts'
import type { CarrierLabelFileRecord } from '#server/labels/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { labelContentFor } from '#server/orders/label-content.ts'
import { bulkRowFromOrder, orderStatusFor } from '#server/orders/rules.ts'
import type { BatchRow, OrderRecord } from '#server/orders/rules.ts'
import { selectBatchRows, selectConfirmRows } from '#server/orders/service.ts'
import type { ConfirmSource } from '#server/orders/service.ts'
import { trackingPageOf } from '#server/orders/wire.ts'
import { missingLabelReason } from './rules.ts'
import type { BatchRecord } from './store.ts'

/** Read and drawn at once. */
export const FILE_ROWS_A_PAGE = 250

const CONFIRM_ROWS_A_PAGE = 1_000

/**
 * A label that is being voided stays in files that are 'stored', which are right again if the
 * carrier refuses. Files that are 'rendered' for a download leave it out.
 */
export type FileUse = 'stored' | 'rendered'

/** In the order of rows, reading one page at a time. */
export async function* readConfirmRows(
  ctx: LabelContext,
  batch: BatchRecord,
  use: FileUse,
): AsyncGenerator<ConfirmRow> {
  for (let after = 0; ;) {
    const page = await selectConfirmRows(ctx.database.db, batch.id, after, CONFIRM_ROWS_A_PAGE)
    yield* page.map(order => toConfirmRow(order, use))
    if (page.length < CONFIRM_ROWS_A_PAGE) return
    after = page.at(-1)!.rowNo
  }
}

const isBoughtLabel = ({ state }: Pick<OrderRecord, 'state'>): boolean =>
  state === 'purchased' || state === 'voiding'

const isLeftOut = ({ state }: Pick<OrderRecord, 'state'>, use: FileUse): boolean =>
  state === 'voiding' && use === 'rendered'

const countOf = (quantity: string): number | null => {
  const count = Number.parseInt(quantity, 10)
  return count > 0 ? count : null
}

const toConfirmRow = (order: ConfirmSource, use: FileUse): ConfirmRow => ({
  row: order.rowNo,
  orderId: order.orderRef,
  orderItemId: order.itemRef,
  quantity: countOf(order.quantity),
  serviceName: order.serviceName,
  bought:
    isBoughtLabel(order) && !isLeftOut(order, use)
      ? { trackingNumber: order.trackingNumber!, at: order.purchasedAt! }
      : null,
  ...(order.items && {
    items: order.items.map(item => ({
      orderId: item.orderId ?? order.orderRef,
      orderItemId: item.orderItemId,
      quantity: countOf(item.quantity),
      extra: item.extra,
    })),
  }),
})

export async function* readBatchFileRows(
  ctx: LabelContext,
  batch: BatchRecord,
  use: FileUse,
): AsyncGenerator<BatchFileRow> {
  for (let after = 0; ;) {
    const page = await selectBatchRows(ctx.database.db, batch.id, after, FILE_ROWS_A_PAGE)
    yield* await toBatchFileRows(ctx, batch, page, use)
    if (page.length < FILE_ROWS_A_PAGE) return
    after = page.at(-1)!.rowNo
  }
}

export async function toBatchFileRows(
  ctx: LabelContext,
  { total }: Pick<BatchRecord, 'total'>,
  orders: BatchRow[],
  use: FileUse,
): Promise<BatchFileRow[]> {
  const files = ctx.carrier.fetchLabel
    ? await findLabelFiles(
        ctx.database.db,
        orders.map(order => order.id),
      )
    : null
  return orders.map(order =>
    toBatchFileRow(ctx, order, { index: order.rowNo, total }, { files, use }),
  )
}

/** `files`: the label files of the carrier; null if labels are drawn here. */
function toBatchFileRow(
  { config }: LabelContext,
  order: BatchRow,
  position: { index: number; total: number },
  { files, use }: { files: Map<number, CarrierLabelFileRecord> | null; use: FileUse },
): BatchFileRow {
  const isBought = isBoughtLabel(order)
  const file = isBought && files ? files.get(order.id) : undefined
  const page = trackingPageOf(order)
  const missing = isBought && files ? missingLabelReason(file) : null
  return {
    result: {
      row: order.rowNo,
      orderId: order.items
        ? joined(order.items, item => item.orderId ?? order.orderRef)
        : order.orderRef,
      orderItemId: order.items ? joined(order.items, item => item.orderItemId) : order.itemRef,
      status: orderStatusFor(order.state),
      trackingNumber: order.trackingNumber,
      // Without refunded prices, so that the column adds up to the final cost of the bulk order.
      priceCents: isBought ? order.price : null,
      reason:
        order.state === 'voided'
          ? 'Voided'
          : isLeftOut(order, use)
            ? 'Being voided'
            : (missing ?? order.reason),
      input: bulkRowFromOrder(order),
      trackingPage: page && config.publicUrl + page,
    },
    confirm: toConfirmRow({ ...order, quantity: order.package.quantity }, use),
    label:
      !isBought || isLeftOut(order, use) || missing !== null
        ? null
        : file
          ? { made: file }
          : { draw: labelContentFor(order, position) },
  }
}

/** Distinct ids of a row's items, '11, 12'; null without any. */
function joined(items: readonly RowItem[], idOf: (item: RowItem) => string | null): string | null {
  const ids = new Set(items.map(idOf).filter(id => id !== null && id !== ''))
  return ids.size === 0 ? null : [...ids].join(', ')
}
