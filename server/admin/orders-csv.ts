/** Labels of all users as a file for spreadsheets. Pure. */
import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts'
import { groupTracking } from '#contract/format.ts'
import type { Cents } from '#contract/money.ts'
import type { FoundOrder } from './orders-store.ts'

const HEAD = [
  'Ordered (UTC)', 'Label', 'User', 'User e-mail', 'Service', 'State', 'Tracking', 'Price', 'Cost', 'Bought (UTC)', 'Voided (UTC)',
  'Bulk order', 'Row', 'Order reference', 'Receiver', 'City', 'Region', 'Zip', 'Reason',
]

/** '6.50': a number of ours, which a spreadsheet must read as one. */
const amount = (value: Cents | null): string => value === null ? '' : (value / 100).toFixed(2)
const number = (value: number | null): string => value === null ? '' : String(value)
/** '2026-11-20 11:42:07', which sorts and is understood everywhere. */
const moment = (at: Date | null): string => at === null ? '' : at.toISOString().slice(0, 19).replace('T', ' ')

/** The line of column names, behind the mark that tells spreadsheets the letters are UTF-8. */
export const ordersHead = (): string => BYTE_ORDER_MARK + csvLine(HEAD)

/** Lines of labels in their order. Tracking numbers in groups of four, so that a spreadsheet keeps their digits. */
export const orderLines = (found: readonly FoundOrder[]): string => found.map(({ order, user, cost }) => csvLine([
  moment(order.createdAt), String(order.id), user.name, user.email, order.serviceName, order.state,
  order.trackingNumber === null ? '' : groupTracking(order.trackingNumber), amount(order.price), amount(cost), moment(order.purchasedAt),
  moment(order.voidedAt), number(order.batchId), number(order.rowNo), order.orderRef, order.receiver.name, order.receiver.city,
  order.receiver.state, order.receiver.zip, order.state === 'purchased' ? order.voidReason : order.reason,
])).join('')
