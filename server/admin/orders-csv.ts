import {
  amountColumn,
  csvHead,
  csvLines,
  ORDER_COLUMNS,
  sheetCells,
} from '#server/orders/order-columns.ts'
import type { TableColumn } from '#server/orders/order-columns.ts'
import type { OrderRecord } from '#server/orders/rules.ts'
import type { Sheet, SheetCell } from '#server/platform/xlsx.ts'
import type { OrderWithUser } from './orders-store.ts'

const ofOrder = ({
  cell,
  csv,
  ...column
}: TableColumn<OrderRecord>): TableColumn<OrderWithUser> => ({
  ...column,
  cell: ({ order }) => cell(order),
  ...(csv && { csv: ({ order }) => csv(order) }),
})
const ofOrders = (...columns: TableColumn<OrderRecord>[]): TableColumn<OrderWithUser>[] =>
  columns.map(ofOrder)

const { ordered, label, service, tracking, price, bought, voided, batch, row } = ORDER_COLUMNS
const { reference, receiver, city, region, zip, reason } = ORDER_COLUMNS

const COLUMNS: readonly TableColumn<OrderWithUser>[] = [
  ...ofOrders(ordered, label),
  { header: 'User', width: 24, cell: ({ user }) => user.name },
  { header: 'User email', width: 28, cell: ({ user }) => user.email },
  ofOrder(service),
  { header: 'State', width: 12, cell: ({ order }) => order.state },
  ...ofOrders(tracking, price),
  amountColumn('Cost', ({ cost }) => cost),
  ...ofOrders(bought, voided, batch, row, reference, receiver, city, region, zip, reason),
]

export const ordersHead = (): string => csvHead(COLUMNS)
export const orderLines = (found: readonly OrderWithUser[]): string => csvLines(COLUMNS, found)

/** The same table as a sheet. */
export const ORDERS_SHEET: Sheet = { name: 'Labels', columns: COLUMNS }
export const orderCells = (found: readonly OrderWithUser[]): SheetCell[][] =>
  sheetCells(COLUMNS, found)
