/** Where the parcel is, as a link to the carrier's tracking page. */
import { IconAlertTriangle, IconCircleCheck, IconTruckDelivery } from '@tabler/icons-react'
import type { Order } from '#contract/orders.ts'
import { trackingText } from '#contract/tracking.ts'
import { dateText } from '#web/ui/date-text.ts'
import type { Tone } from '#web/ui/tone.ts'
import { trackingTone } from './order-status.ts'
import styles from './Orders.module.css'

export const CARRIER_TRACKING_URL = 'https://tools.usps.com/go/TrackConfirmAction?tLabels='

const ICONS: Partial<Record<Tone, typeof IconTruckDelivery>> = {
  red: IconAlertTriangle,
  green: IconCircleCheck,
}

/** Nothing without tracking events, or for a voided label. */
export function ParcelLink({
  order: { tracking, tracking_number: number, void: voidStatus },
}: {
  order: Order
}) {
  if (!tracking || !number || voidStatus === 'voided') return null
  const tone = trackingTone(tracking.status)
  const StageIcon = ICONS[tone] ?? IconTruckDelivery
  return (
    <a
      className={styles.parcel}
      data-tone={tone}
      href={CARRIER_TRACKING_URL + encodeURIComponent(number)}
      target="_blank"
      rel="noopener noreferrer"
    >
      <StageIcon aria-hidden="true" />
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
