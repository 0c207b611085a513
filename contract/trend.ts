/** The last days, as the dashboard draws them. */
import * as z from 'zod'

/** So many days make a trend, today included. */
export const TREND_DAYS = 14

/** `offset`: minutes that the reader's clocks are ahead of UTC, so that a day begins at his midnight (New York in winter: -300). */
export const TrendQuery = z.object({
  offset: z.coerce
    .number()
    .int()
    .min(-14 * 60)
    .max(14 * 60)
    .default(0),
})
