/**
 * The reader's time zone, such as 'America/New_York': days of figures begin at its midnight. `offset`: for a server that does
 * not know its name.
 */
export const readerClock = () => ({
  timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
  offset: -new Date().getTimezoneOffset(),
})
