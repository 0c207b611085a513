/** How long a carrier balance lasts, in words. Pure. */
const DAYS_A_YEAR = 365

/** 'about 12 days'. `daysText`: a number of days with its noun. */
export function runwayText(daysLeft: number, daysText: (days: number) => string): string {
  if (daysLeft > DAYS_A_YEAR) return 'over a year'
  return daysLeft > 0 ? `about ${daysText(daysLeft)}` : 'less than a day'
}
