import * as z from 'zod'

/** Days of a trend, today included. */
export const TREND_DAYS = 14

/**
 * A name such as 'America/New_York', as `Intl.DateTimeFormat().resolvedOptions().timeZone` has it.
 * Offsets such as '+05:37' are refused: the sums are of quarters of an hour.
 */
const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, "must be a time zone, for example 'America/New_York'")

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/**
 * `timezone`: the reader's; a day begins at their midnight, also across a clock change. Without it, or where the server does not know
 * its name, `offset` counts, which older programs send: minutes that a clock is ahead of UTC, the same on all days.
 */
export const TrendQuery = z.object({
  timezone: TimeZone.optional().catch(undefined),
  offset: z.coerce
    .number()
    .int()
    .min(-14 * 60)
    .max(14 * 60)
    .default(0),
})
