/** A label of a list as a card. */
import type { Order } from '#contract/orders.ts'
import { DotLine } from '#web/ui/DotLine.tsx'
import type { RowCard } from '#web/ui/RowCards.tsx'
import { DateTime } from '#web/ui/Value.tsx'
import { cityText } from './order-text.ts'
import {
  OrderReason,
  orderReason,
  OrderStatusPill,
  PriceCell,
  ReceiverLink,
  TrackingNumber,
} from './OrderCells.tsx'
import { ParcelLink } from './ParcelLink.tsx'
import styles from './Orders.module.css'

/** `wide`: with the service, and the whole tracking number. */
export function orderCard(order: Order, wide: boolean): RowCard {
  const place = cityText(order.receiver, 'receiver')
  const why = orderReason(order) !== '' && <OrderReason order={order} />
  return {
    title: (
      <span className={styles.cardName}>
        <ReceiverLink order={order} />
      </span>
    ),
    details: wide
      ? [place, <DateTime key="at" at={order.createdAt} day />]
      : [
          place,
          order.tracking_number && (
            <TrackingNumber key="number" number={order.tracking_number} short />
          ),
          why,
          order.tracking && <ParcelLink key="parcel" order={order} />,
        ],
    middle: wide
      ? [
          order.tracking_number ? (
            <TrackingNumber key="number" number={order.tracking_number} />
          ) : (
            why
          ),
          <DotLine
            key="service"
            className={styles.second}
            parts={[
              <span key="name" className={styles.onOneLine}>
                {order.service_name}
              </span>,
              order.tracking_number !== null && why,
              order.tracking && <ParcelLink key="parcel" order={order} />,
            ]}
          />,
        ]
      : [],
    aside: [
      <PriceCell key="price" order={order} inCard />,
      <OrderStatusPill key="status" order={order} />,
      !wide && <DateTime key="at" at={order.createdAt} day />,
    ],
  }
}
