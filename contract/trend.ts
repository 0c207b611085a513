import * as z from 'zod'

/** Days of a trend, today included. */
export const TREND_DAYS = 14

/**
 * `offset`: minutes that the reader's clock is ahead of UTC, so that a day begins at their midnight
 * (New York in winter: -300).
 */
export const TrendQuery = z.object({
  offset: z.coerce
    .number()
    .int()
    .min(-14 * 60)
    .max(14 * 60)
    .default(0),
})
