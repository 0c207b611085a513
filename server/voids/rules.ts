import type { VoidStatus } from '#contract/orders.ts'
import { isUnderWay } from '#contract/tracking.ts'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { CarrierVoidResult } from '#server/carriers/port.ts'
import { backOffMs } from '#server/orders/rules.ts'
import type { OrderState } from '#server/platform/database/tables.ts'

/** What becomes of a void after an answer; `waitMs` from now until the carrier is asked again. `isSubmitted`: it has the wish. */
export type VoidVerdict =
  | { state: 'voided' }
  | { state: 'purchased'; reason: string }
  | { state: 'voiding'; waitMs: number; isSubmitted: boolean }

const MINUTE_MS = 60_000

/** After a carrier was asked to void a label for the `attempt`-th time (architecture, 4). Nothing but its answer ends a void. */
export function verdictOnVoid(answer: CarrierVoidResult, attempt: number): VoidVerdict {
  switch (answer.kind) {
    case 'voided':
      return { state: 'voided' }
    case 'permanent':
      return { state: 'purchased', reason: answer.message || 'The carrier named no reason' }
    // Carriers decide on such wishes in hours or days.
    case 'submitted':
      return { state: 'voiding', waitMs: Math.min(60, 5 * attempt) * MINUTE_MS, isSubmitted: true }
    case 'retryable':
    case 'unknown':
      return {
        state: 'voiding',
        waitMs: backOffMs(attempt, answer.retryAfterMs),
        isSubmitted: false,
      }
  }
}

/** How far a void has come; null where nobody asked for one. */
export function voidStatusOf(order: {
  state: OrderState
  voidReason: string | null
}): VoidStatus | null {
  if (order.state === 'voiding') return 'requested'
  if (order.state === 'voided') return 'voided'
  return order.state === 'purchased' && order.voidReason !== null ? 'refused' : null
}

/** What the reader is told beside a label: why it was not bought or, of a bought one, why it was not voided. */
export const shownReasonOf = (order: {
  state: OrderState
  reason: string | null
  voidReason: string | null
}): string | null => (order.state === 'purchased' ? order.voidReason : order.reason)

/** Why a label cannot be voided, or null where it can be, is being or has been. */
export function voidObstacle({
  state,
  tracking,
}: {
  state: OrderState
  tracking: { status: TrackingStatus } | null
}): string | null {
  switch (state) {
    case 'purchased':
      return tracking && isUnderWay(tracking.status)
        ? 'This parcel is on its way: a label that was used cannot be voided any more'
        : null
    case 'voiding':
    case 'voided':
      return null
    case 'failed':
      return 'This label was not bought; there is nothing to void'
    case 'unknown':
      return 'This label is being checked with the carrier. It can be voided once it is known to be bought.'
    case 'queued':
    case 'purchasing':
      return 'This label is not bought yet. It can be voided once it is.'
  }
}
