/** An order's status as screens show it (specification, 4: pending yellow, completed green, cancelled red). */
import type { OrderStatus } from '#contract/orders.ts'
import type { Tone } from '#web/ui/tone.ts'
import { texts } from './texts.ts'

export const ORDER_TONE: Record<OrderStatus, Tone> = { pending: 'yellow', completed: 'green', cancelled: 'red' }
export const ORDER_WORD: Record<OrderStatus, string> = texts.statuses
