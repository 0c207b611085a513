import type { RateLimit } from './port.ts'

/**
 * How many questions a minute a bucket is filled with. What was saved up in a rest is taken off, so that the carrier's limit holds
 * for the minute in which both are spent.
 */
export const refillPerMinute = ({ perMinute, burst }: RateLimit): number =>
  Math.max(perMinute - burst, perMinute / 2)
