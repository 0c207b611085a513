import type { OrderStatus } from '#contract/orders.ts'
import { ORDER_COLUMNS } from './order-columns.ts'
import type { TableColumn } from './order-columns.ts'
import { orderStatusFor } from './rules.ts'
import type { OrderRecord } from './rules.ts'
import { trackingPageOf } from './wire.ts'

/** `apiKey`: name of the key that it was ordered with; null for one ordered on a page. */
export type FileOrder = OrderRecord & { apiKey: string | null }

const STATUS_NAMES: Record<OrderStatus, string> = {
  pending: 'Pending',
  completed: 'Completed',
  cancelled: 'Cancelled',
}

const statusOf = ({ state }: OrderRecord): string =>
  state === 'voided' ? 'Voided' : STATUS_NAMES[orderStatusFor(state)]

const { ordered, label, service, tracking, price, bought, voided, batch, row } = ORDER_COLUMNS
const { reference, receiver, city, region, zip, reason } = ORDER_COLUMNS

const COLUMNS: readonly TableColumn<FileOrder>[] = [
  ordered,
  label,
  service,
  { header: 'Status', width: 12, cell: statusOf },
  tracking,
  price,
  bought,
  voided,
  batch,
  row,
  reference,
  { header: 'Sender', width: 24, cell: order => order.sender.name },
  receiver,
  { header: 'Street', width: 28, cell: order => order.receiver.street1 },
  { header: 'Street 2', cell: order => order.receiver.street2 },
  city,
  region,
  zip,
  { header: 'Weight (lb)', width: 12, cell: order => order.package.weight },
  { header: 'SKU', cell: order => order.package.sku },
  { header: 'Quantity', width: 10, cell: order => order.package.quantity },
  reason,
  { header: 'API key', width: 20, cell: order => order.apiKey },
]

/** `site`: the address to which the links of tracking pages are added. */
export const orderFileColumns = (site: string): readonly TableColumn<FileOrder>[] => [
  ...COLUMNS,
  {
    header: 'Tracking page',
    width: 48,
    cell: order => {
      const path = trackingPageOf(order)
      return path && site + path
    },
  },
]
