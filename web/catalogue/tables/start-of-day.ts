/** The moment (ISO text) when a day ('2026-12-01') begins here; null unless it is after today. */
export function startOfDay(day: string, now = new Date()): string | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []
  if (!year) return null
  const start = new Date(Number(year), Number(month) - 1, Number(date))
  return start > now ? start.toISOString() : null
}
