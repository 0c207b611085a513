import type { Cents } from '#contract/money.ts'
import { isUnderWay } from '#contract/tracking.ts'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { CarrierVoidResult } from '#server/carriers/port.ts'
import { backOffMs, REFUSED_MS } from '#server/carriers/rules.ts'
import type { OrderState } from '#server/orders/rules.ts'

/**
 * `isSubmitted`: the carrier has accepted the request and not decided yet. `isDoubted`: it refused,
 * but an earlier request had no answer and may have voided the label. `isConfirmed`: the carrier has
 * voided it, and the refund is due after `waitMs`.
 */
export type VoidVerdict =
  | { state: 'voided' }
  | { state: 'purchased'; reason: string }
  | {
      state: 'voiding'
      waitMs: number
      isSubmitted: boolean
      isDoubted?: true
      isConfirmed?: true
    }

/** `unansweredMs`: since the latest earlier call without an answer, null if all had one. */
export type VoidHistory = { attempt: number; unansweredMs: number | null }

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/**
 * Only the carrier's answer ends a void (docs/requirements.md#voids). After a call without an
 * answer a refusal counts only if the carrier shows the label as valid, and only when the lost call
 * can no longer arrive.
 */
export function verdictOnVoid(
  answer: CarrierVoidResult,
  { attempt, unansweredMs }: VoidHistory,
  quarantineMs: number,
): VoidVerdict {
  switch (answer.kind) {
    case 'voided':
      return { state: 'voided' }
    case 'permanent': {
      const gapMs = unansweredMs === null ? 0 : Math.max(quarantineMs, REFUSED_MS) - unansweredMs
      if (unansweredMs === null || (answer.isStillValid && gapMs <= 0))
        return { state: 'purchased', reason: answer.message || 'The carrier named no reason' }
      return {
        state: 'voiding',
        waitMs: answer.isStillValid ? gapMs : sparseWaitMs(attempt),
        isSubmitted: false,
        isDoubted: true,
      }
    }
    // Carriers decide on submitted voids within hours or days.
    case 'submitted':
      return { state: 'voiding', waitMs: sparseWaitMs(attempt), isSubmitted: true }
    case 'retryable':
    case 'unknown':
      return {
        state: 'voiding',
        waitMs: backOffMs(attempt, answer.retryAfterMs),
        isSubmitted: false,
      }
  }
}

/** A confirmed void whose refund waits, where it does; a free label has none. */
export const withRefundDelay = (
  verdict: VoidVerdict,
  price: Cents,
  delayDays: number,
): VoidVerdict =>
  verdict.state === 'voided' && delayDays > 0 && price > 0
    ? { state: 'voiding', waitMs: delayDays * DAY_MS, isSubmitted: false, isConfirmed: true }
    : verdict

const sparseWaitMs = (attempt: number): number => Math.min(60, 5 * attempt) * MINUTE_MS

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
