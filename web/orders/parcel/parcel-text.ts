const LONG_DAY = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  timeZone: 'UTC',
})

/** 'Friday, November 27' for '2026-11-27', in every time zone: it is a day at the receiver's place. */
export const expectedDayText = (day: string): string =>
  LONG_DAY.format(new Date(`${day}T00:00:00Z`))

/** Where a click on the contact leads: to a mailbox or a phone; null for other text, since websites of strangers are not linked. */
export function contactLink(contact: string): string | null {
  if (/^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(contact)) return `mailto:${contact}`
  return /^\+?[\d\s().-]+$/.test(contact) && /(?:\d\D*){7}/.test(contact)
    ? `tel:${contact.replace(/[^\d+]/g, '')}`
    : null
}
