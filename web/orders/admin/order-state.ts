/** States of a label as administrators see them. */
import type { AdminOrder } from '#contract/orders-admin.ts'
import type { OrderState } from '#contract/orders.ts'
import type { Tone } from '#web/ui/tone.ts'
import { texts } from './texts.ts'

export const STATE_TONE: Record<OrderState, Tone> = {
  queued: 'blue',
  purchasing: 'blue',
  unknown: 'yellow',
  purchased: 'green',
  failed: 'red',
  voiding: 'yellow',
  voided: 'red',
}
export const STATE_TEXT: Record<OrderState, string> = texts.states

/** Whether the state changes by itself, so the page polls. */
export const isInProgress = ({ state }: Pick<AdminOrder, 'state'>): boolean =>
  state === 'queued' || state === 'purchasing' || state === 'unknown' || state === 'voiding'

/** Whether the carrier can be checked: the outcome of the label or of its void is unknown. */
export const canCheck = ({ state }: Pick<AdminOrder, 'state'>): boolean =>
  state === 'unknown' || state === 'voiding'

export const stateReason = ({ reason, void: voidStatus }: AdminOrder): string | null =>
  reason === null ? null : voidStatus === 'refused' ? texts.notVoided(reason) : reason
