import type { RateLimit } from './port.ts'

/**
 * How many questions a minute a bucket is filled with. What was saved up in a rest is taken off, so that the carrier's limit holds
 * for the minute in which both are spent.
 */
export const refillPerMinute = ({ perMinute, burst }: RateLimit): number =>
  Math.max(perMinute - burst, perMinute / 2)

/** How long (ms) to wait after the `attempt`-th attempt: doubles up to a minute. A longer wait that the carrier requested wins. */
export const backOffMs = (attempt: number, requestedMs = 0): number =>
  Math.max(requestedMs, Math.min(60_000, 250 * 2 ** Math.min(attempt, 12)))
