/** When a carrier is asked where a parcel is, and when a label that nobody has used is given back to it. */
import { isTrackingFinal, isUnderWay } from '#contract/tracking.ts'
import type { TrackingStatus } from '#contract/tracking.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

/** Labels are bought hours before anybody scans them. */
export const FIRST_POLL_MS = 6 * HOUR_MS
const IN_TRANSIT_POLL_MS = 3 * HOUR_MS
/** A parcel that has not come by then is not asked about any more. */
const TRACKING_ENDS_MS = 45 * DAY_MS

/** How long (ms) until the carrier is asked about a parcel again; null: nothing more is to be expected. */
export function nextPollMs(status: TrackingStatus, sinceBoughtMs: number): number | null {
  if (isTrackingFinal(status) || sinceBoughtMs >= TRACKING_ENDS_MS) return null
  return isUnderWay(status) ? IN_TRANSIT_POLL_MS : FIRST_POLL_MS
}

/** How long (ms) until the carrier is asked again after the `attempt`-th question in a row without an answer, counted from 1. */
export const pollRetryMs = (attempt: number): number =>
  Math.min(FIRST_POLL_MS, 15 * 60_000 * 2 ** Math.min(attempt - 1, 10))

/**
 * How long (ms) after its purchase an unused label is given back: two days before the carrier's window ends, so that there is time to
 * ask twice; in the middle of a window that is shorter than four.
 */
export const autoVoidAfterMs = (windowMs: number): number =>
  Math.max(windowMs - 2 * DAY_MS, windowMs / 2)

/** Without an answer the void waits, but no longer than this (ms after the purchase): then the carrier's last word of the parcel counts. */
export const autoVoidDeadlineMs = (windowMs: number): number =>
  (autoVoidAfterMs(windowMs) + windowMs) / 2
