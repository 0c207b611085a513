import { isUnderWay } from '#contract/tracking.ts'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { CarrierVoidResult } from '#server/carriers/port.ts'
import { backOffMs } from '#server/carriers/rules.ts'
import type { OrderState } from '#server/orders/rules.ts'

/** `isSubmitted`: the carrier has accepted the request and not decided yet. */
export type VoidVerdict =
  | { state: 'voided' }
  | { state: 'purchased'; reason: string }
  | { state: 'voiding'; waitMs: number; isSubmitted: boolean }

const MINUTE_MS = 60_000

/** Only the carrier's answer ends a void (docs/requirements.md#voids). */
export function verdictOnVoid(answer: CarrierVoidResult, attempt: number): VoidVerdict {
  switch (answer.kind) {
    case 'voided':
      return { state: 'voided' }
    case 'permanent':
      return { state: 'purchased', reason: answer.message || 'The carrier named no reason' }
    // Carriers decide on submitted voids within hours or days.
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

/** Null if the label can be, is being or has been voided. */
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
        ? 'This parcel is on its way. A used label cannot be voided.'
        : null
    case 'voiding':
    case 'voided':
      return null
    case 'failed':
      return 'This label was not bought, so there is nothing to void'
    case 'unknown':
      return 'This label is being checked with the carrier. It can be voided once it is known to be bought.'
    case 'queued':
    case 'purchasing':
      return 'This label is not bought yet. It can be voided once it is.'
  }
}
