const LONG_DAY = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  timeZone: 'UTC',
})

/** 'Friday, November 27' for '2026-11-27', in every time zone: it is a day at the receiver's place. */
export const expectedDayText = (day: string): string =>
  LONG_DAY.format(new Date(`${day}T00:00:00Z`))

const SCAN_TIME = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})

/** 'Sun, Nov 22, 11:00 PM' in the reader's time zone. */
export const scanTimeText = (at: string): string => SCAN_TIME.format(new Date(at))

const SCAN_DAY = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
})

/** 'Sun, Nov 22' in the reader's time zone. */
export const scanDayText = (at: string): string => SCAN_DAY.format(new Date(at))

/** The contact when it is an email address; null for other text. */
export const mailAddressIn = (contact: string): string | null =>
  /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(contact) ? contact : null
