import { isTrackingFinal, isUnderWay } from '#contract/tracking.ts'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { TrackingResult } from '#server/carriers/port.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

/** Labels are bought hours before the first scan. */
export const FIRST_POLL_MS = 6 * HOUR_MS
const IN_TRANSIT_POLL_MS = 3 * HOUR_MS
/** A voided label is followed for 30 days: who prints a label and voids it uses it within days. */
export const VOIDED_POLL_MS = DAY_MS
/** Leaves time for a look that waits for the carrier account's limit of calls. */
export const LOOK_BEFORE_REFUND_MS = HOUR_MS
/** After a look in that last hour that got no answer. */
export const LOOK_AGAIN_MS = 10 * 60_000
const VOIDED_TRACKING_ENDS_MS = 30 * DAY_MS
export const TRACKING_ENDS_MS = 45 * DAY_MS

/** In ms; null: no further poll. `doMessagesArrive`: the carrier tells what happens by itself. */
export function nextPollMs(
  { status, nextCheckMs }: Pick<TrackingResult, 'status' | 'nextCheckMs'>,
  sinceBoughtMs: number,
  doMessagesArrive = false,
): number | null {
  if (isTrackingFinal(status) || sinceBoughtMs >= TRACKING_ENDS_MS) return null
  if (nextCheckMs !== undefined) return nextCheckMs
  if (doMessagesArrive) return DAY_MS
  return isUnderWay(status) ? IN_TRANSIT_POLL_MS : FIRST_POLL_MS
}

/** In ms; null: no further poll. The first scan is enough. */
export const nextVoidedPollMs = (status: TrackingStatus, sinceVoidedMs: number): number | null =>
  isUnderWay(status) || sinceVoidedMs >= VOIDED_TRACKING_ENDS_MS ? null : VOIDED_POLL_MS

/** In ms; null: no further poll. `attempt`: polls in a row without an answer, counted from 1. */
export const pollRetryMs = (attempt: number, sinceBoughtMs: number): number | null =>
  sinceBoughtMs >= TRACKING_ENDS_MS
    ? null
    : Math.min(FIRST_POLL_MS, 15 * 60_000 * 2 ** Math.min(attempt - 1, 10))

/**
 * In ms from the purchase: two days before the carrier's window ends, for retries; halfway through
 * a shorter window.
 */
export const autoVoidAfterMs = (windowMs: number): number =>
  Math.max(windowMs - 2 * DAY_MS, windowMs / 2)

/**
 * In ms from the purchase. Without an answer the void waits until then; afterwards the last known
 * status counts.
 */
export const autoVoidDeadlineMs = (windowMs: number): number =>
  (autoVoidAfterMs(windowMs) + windowMs) / 2
