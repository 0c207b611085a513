import { BYTE_ORDER_MARK, csvLine, csvMoment } from '#contract/csv.ts'
import { groupTracking } from '#contract/format.ts'
import { decimal, dollars } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { shownReasonOf } from '#server/orders/rules.ts'
import type { Sheet, SheetCell, SheetColumn } from '#server/platform/xlsx.ts'
import type { OrderWithUser } from './orders-store.ts'

type OrderColumn = SheetColumn & {
  cell: (row: OrderWithUser) => SheetCell
  /** Where a spreadsheet would read the plain text of the cell otherwise. */
  csv?: (row: OrderWithUser) => string
}

const moment = (at: Date | null): string => (at === null ? '' : csvMoment(at))
const amount = (header: string, read: (row: OrderWithUser) => Cents | null): OrderColumn => ({
  header,
  width: 10,
  decimals: 2,
  cell: row => {
    const value = read(row)
    return value === null ? null : dollars(value)
  },
  csv: row => {
    const value = read(row)
    return value === null ? '' : decimal(value)
  },
})

const COLUMNS: readonly OrderColumn[] = [
  { header: 'Ordered (UTC)', width: 20, cell: ({ order }) => moment(order.createdAt) },
  { header: 'Label', width: 12, cell: ({ order }) => String(order.id) },
  { header: 'User', width: 24, cell: ({ user }) => user.name },
  { header: 'User email', width: 28, cell: ({ user }) => user.email },
  { header: 'Service', width: 24, cell: ({ order }) => order.serviceName },
  { header: 'State', width: 12, cell: ({ order }) => order.state },
  {
    header: 'Tracking',
    width: 26,
    cell: ({ order }) => order.trackingNumber,
    csv: ({ order }) => (order.trackingNumber === null ? '' : groupTracking(order.trackingNumber)),
  },
  amount('Price', ({ order }) => order.price),
  amount('Cost', ({ cost }) => cost),
  { header: 'Bought (UTC)', width: 20, cell: ({ order }) => moment(order.purchasedAt) },
  { header: 'Voided (UTC)', width: 20, cell: ({ order }) => moment(order.voidedAt) },
  {
    header: 'Bulk order',
    width: 12,
    cell: ({ order }) => (order.batchId === null ? null : String(order.batchId)),
  },
  { header: 'Row', width: 8, cell: ({ order }) => order.rowNo },
  { header: 'Order reference', width: 22, cell: ({ order }) => order.orderRef },
  { header: 'Receiver', width: 24, cell: ({ order }) => order.receiver.name },
  { header: 'City', cell: ({ order }) => order.receiver.city },
  { header: 'Region', width: 8, cell: ({ order }) => order.receiver.state },
  { header: 'Zip', width: 12, cell: ({ order }) => order.receiver.zip },
  { header: 'Reason', width: 40, cell: ({ order }) => shownReasonOf(order) },
]

export const ordersHead = (): string =>
  BYTE_ORDER_MARK + csvLine(COLUMNS.map(({ header }) => header))

/** Tracking numbers are in groups of four, so that a spreadsheet does not round them. */
export const orderLines = (found: readonly OrderWithUser[]): string =>
  found
    .map(row =>
      csvLine(
        COLUMNS.map(({ cell, csv }) => {
          const value = csv ? csv(row) : cell(row)
          return typeof value === 'number' ? String(value) : value
        }),
      ),
    )
    .join('')

/** The same table as a sheet: tracking numbers whole, amounts as numbers. */
export const ORDERS_SHEET: Sheet = { name: 'Labels', columns: COLUMNS }
export const orderCells = (found: readonly OrderWithUser[]): SheetCell[][] =>
  found.map(row => COLUMNS.map(({ cell }) => cell(row)))
