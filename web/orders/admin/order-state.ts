/** States of a label as administrators see them (architecture, 4). */
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

/** Whether it goes on by itself: a page that shows it asks again. */
export const isInProgress = ({ state }: Pick<AdminOrder, 'state'>): boolean =>
  state === 'queued' || state === 'purchasing' || state === 'unknown' || state === 'voiding'

/** Whether the carrier can be asked about it now: its outcome, or its void, is not known. */
export const canCheck = ({ state }: Pick<AdminOrder, 'state'>): boolean =>
  state === 'unknown' || state === 'voiding'

/** Why it is as it is; null where nothing was said. */
export const stateReason = ({ reason, void: voidStatus }: AdminOrder): string | null =>
  reason === null ? null : voidStatus === 'refused' ? texts.notVoided(reason) : reason
