/** Status of an order as shown: pending yellow, completed green, cancelled red. */
import type { Order, OrderStatus } from '#contract/orders.ts'
import { isUnderWay } from '#contract/tracking.ts'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { Tone } from '#web/ui/tone.ts'
import { texts } from './texts.ts'

export const ORDER_STATUS_TONE: Record<OrderStatus, Tone> = {
  pending: 'yellow',
  completed: 'green',
  cancelled: 'red',
}
export const ORDER_STATUS_TEXT: Record<OrderStatus, string> = texts.statuses

/**
 * The status with the state of a void: a label being voided is still completed, a voided one is
 * cancelled.
 */
export function displayStatus({ status, void: voidStatus }: Pick<Order, 'status' | 'void'>): {
  tone: Tone
  text: string
} {
  if (voidStatus === 'requested') return { tone: 'yellow', text: texts.voiding }
  return {
    tone: ORDER_STATUS_TONE[status],
    text: voidStatus === 'voided' ? texts.voided : ORDER_STATUS_TEXT[status],
  }
}

/** Of one event of a parcel. */
export function trackingTone(status: TrackingStatus): Tone {
  if (status === 'delivered') return 'green'
  if (status === 'failure' || status === 'return_to_sender') return 'red'
  return isUnderWay(status) ? 'blue' : 'neutral'
}
