/** The reader's time zone, such as 'America/New_York'; days of a report begin at its midnight. */
export const readerTimeZone = (): string =>
  new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
