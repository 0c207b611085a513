/** Where the parcel is, as a link to the carrier's tracking page. */
import { IconTruckDelivery } from '@tabler/icons-react'
import type { Order } from '#contract/orders.ts'
import { trackingText } from '#contract/tracking.ts'
import { dateText } from '#web/ui/date-text.ts'
import styles from './Orders.module.css'

export const CARRIER_TRACKING_URL = 'https://tools.usps.com/go/TrackConfirmAction?tLabels='

/** Nothing without tracking events, or for a voided label. */
export function ParcelLink({
  order: { tracking, tracking_number: number, void: voidStatus },
}: {
  order: Order
}) {
  if (!tracking || !number || voidStatus === 'voided') return null
  return (
    <a
      className={styles.parcel}
      href={CARRIER_TRACKING_URL + encodeURIComponent(number)}
      target="_blank"
      rel="noopener noreferrer"
    >
      <IconTruckDelivery aria-hidden="true" />
      <span>
        {trackingText(tracking.status)}
        {tracking.at && (
          <>
            , <span className={styles.onOneLine}>{dateText(tracking.at)}</span>
          </>
        )}
      </span>
    </a>
  )
}
