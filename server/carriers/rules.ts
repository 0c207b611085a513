import type { RateLimit } from './port.ts'

/**
 * Tokens per minute, less the burst, so that the carrier's limit also holds in the minute after a
 * pause.
 */
export const refillPerMinute = ({ perMinute, burst }: RateLimit): number =>
  Math.max(perMinute - burst, perMinute / 2)

/** After the refusal of a later call an earlier call completes within this time or never. */
export const REFUSED_MS = 10_000

/** How long (ms) to wait after the `attempt`-th attempt: doubles up to a minute. A longer wait that the carrier requested wins. */
export const backOffMs = (attempt: number, requestedMs = 0): number =>
  Math.max(requestedMs, Math.min(60_000, 250 * 2 ** Math.min(attempt, 12)))
