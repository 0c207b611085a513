/** The reader's time zone, such as 'America/New_York'; days of a report begin at its midnight. */
export const readerTimeZone = (): string =>
  new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

/** For a trend; `offset`: for a server that does not know the time zone's name. */
export const readerClock = () => ({
  timezone: readerTimeZone(),
  offset: -new Date().getTimezoneOffset(),
})
