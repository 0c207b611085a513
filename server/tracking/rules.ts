import { isTrackingFinal, isUnderWay } from '#contract/tracking.ts'
import type { TrackingStatus } from '#contract/tracking.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

/** Labels are bought hours before the first scan. */
export const FIRST_POLL_MS = 6 * HOUR_MS
const IN_TRANSIT_POLL_MS = 3 * HOUR_MS
/** After this time a parcel is not polled any more. */
const TRACKING_ENDS_MS = 45 * DAY_MS

/** Milliseconds until the next poll; null: no further poll. */
export function nextPollMs(status: TrackingStatus, sinceBoughtMs: number): number | null {
  if (isTrackingFinal(status) || sinceBoughtMs >= TRACKING_ENDS_MS) return null
  return isUnderWay(status) ? IN_TRANSIT_POLL_MS : FIRST_POLL_MS
}

/** Milliseconds until the next poll after the `attempt`-th poll in a row without an answer, counted from 1. */
export const pollRetryMs = (attempt: number): number =>
  Math.min(FIRST_POLL_MS, 15 * 60_000 * 2 ** Math.min(attempt - 1, 10))

/**
 * Milliseconds from the purchase of an unused label until its void: two days before the carrier's window ends, which leaves time for
 * retries; halfway through a window shorter than four days.
 */
export const autoVoidAfterMs = (windowMs: number): number =>
  Math.max(windowMs - 2 * DAY_MS, windowMs / 2)

/** Milliseconds from the purchase. Without an answer the void waits until then; afterwards the parcel's last known status counts. */
export const autoVoidDeadlineMs = (windowMs: number): number =>
  (autoVoidAfterMs(windowMs) + windowMs) / 2
