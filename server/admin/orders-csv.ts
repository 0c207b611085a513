import { BYTE_ORDER_MARK, csvLine, csvMoment } from '#contract/csv.ts'
import { groupTracking } from '#contract/format.ts'
import { decimal } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { shownReasonOf } from '#server/orders/rules.ts'
import type { OrderWithUser } from './orders-store.ts'

const HEAD = [
  'Ordered (UTC)',
  'Label',
  'User',
  'User email',
  'Service',
  'State',
  'Tracking',
  'Price',
  'Cost',
  'Bought (UTC)',
  'Voided (UTC)',
  'Bulk order',
  'Row',
  'Order reference',
  'Receiver',
  'City',
  'Region',
  'Zip',
  'Reason',
]

const csvAmount = (value: Cents | null): string => (value === null ? '' : decimal(value))
const csvNumber = (value: number | null): string => (value === null ? '' : String(value))
const csvOptionalMoment = (at: Date | null): string => (at === null ? '' : csvMoment(at))

export const ordersHead = (): string => BYTE_ORDER_MARK + csvLine(HEAD)

/** Tracking numbers are in groups of four, so that a spreadsheet does not round them. */
export const orderLines = (found: readonly OrderWithUser[]): string =>
  found
    .map(({ order, user, cost }) =>
      csvLine([
        csvOptionalMoment(order.createdAt),
        String(order.id),
        user.name,
        user.email,
        order.serviceName,
        order.state,
        order.trackingNumber === null ? '' : groupTracking(order.trackingNumber),
        csvAmount(order.price),
        csvAmount(cost),
        csvOptionalMoment(order.purchasedAt),
        csvOptionalMoment(order.voidedAt),
        csvNumber(order.batchId),
        csvNumber(order.rowNo),
        order.orderRef,
        order.receiver.name,
        order.receiver.city,
        order.receiver.state,
        order.receiver.zip,
        shownReasonOf(order),
      ]),
    )
    .join('')
