const LONG_DAY = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  timeZone: 'UTC',
})

/** 'Friday, November 27' for '2026-11-27', in every time zone: it is a day at the receiver's place. */
export const expectedDayText = (day: string): string =>
  LONG_DAY.format(new Date(`${day}T00:00:00Z`))

/** The contact when it is an email address; null for other text. */
export const mailAddressIn = (contact: string): string | null =>
  /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(contact) ? contact : null
