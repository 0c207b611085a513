/** An order's status as screens show it (specification, 4: pending yellow, completed green, cancelled red). */
import type { Order, OrderStatus } from '#contract/orders.ts'
import type { Tone } from '#web/ui/tone.ts'
import { texts } from './texts.ts'

export const ORDER_STATUS_TONE: Record<OrderStatus, Tone> = {
  pending: 'yellow',
  completed: 'green',
  cancelled: 'red',
}
export const ORDER_STATUS_TEXT: Record<OrderStatus, string> = texts.statuses

/** The status with how far a void is: a label being voided is still bought, a voided one is cancelled, and both say so. */
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
