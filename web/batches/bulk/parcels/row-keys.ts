/**
 * Which rows share a receiver, or a label. Kept per row: rows are immutable, and 50,000 of them are
 * compared again after each edit.
 */
import type { RowGrouping } from '#contract/imports.ts'
import { kindsOf, optionsOfCells } from '#contract/label-options.ts'
import { addressKey, orderKey, receiverKey, senderKey } from '#contract/row-address.ts'
import type { GridRow } from '#web/batches/grid-row.ts'

/** `order`, `address`: the row's id for one that is not combined with any other. */
type RowKeys = { receiver: string; order: string; address: string }

const keysByRow = new WeakMap<GridRow, RowKeys>()

function keysOf(row: GridRow): RowKeys {
  const kept = keysByRow.get(row)
  if (kept) return kept
  const receiver = receiverKey(row)
  const address = addressKey(row)
  const order = orderKey(row.orderId)
  const options = kindsOf(optionsOfCells(row)).join(' ')
  const others = `${senderKey(row)}\n${row.ServiceName}\n${row.file ?? ''}\n${options}`
  const keys: RowKeys = {
    receiver,
    order: address === '' || order === '' ? row.id : `${order}\n${address}\n${others}`,
    // An item without an order id would be confirmed as one of the row's order.
    address: receiver === '' ? row.id : `${order === ''}\n${receiver}\n${others}`,
  }
  keysByRow.set(row, keys)
  return keys
}

/** Name and address; '' without a name, street or ZIP. */
export const receiverOf = (row: GridRow): string => keysOf(row).receiver

/** Equal for the lines of one label. */
export const groupKey = (row: GridRow, by: Exclude<RowGrouping, 'line'>): string => keysOf(row)[by]
