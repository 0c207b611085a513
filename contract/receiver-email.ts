/** The email address of a receiver, which is optional and never on a label. */
import { tidyText } from './text.ts'

export const RECEIVER_EMAIL_MAX = 254

const EMAIL = /^[^\s@<>"(),:;\\[\]]{1,64}@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d-]{2,63}$/i

// What no mail server takes and the database cannot keep.
const UNSAFE = /[\p{Cc}\p{Cs}]/u

/** Addresses that marketplaces give instead of the buyer's own: mails of others to them are not passed on. */
const RELAY_DOMAIN = /@(?:marketplace\.amazon\.|members\.ebay\.)[a-z.]{2,}$/i

/** 'malformed': it can be no address. Empty for none, and for a relay address of a marketplace. */
export function readReceiverEmail(text: string): { email: string } | 'malformed' {
  const email = tidyText(text.slice(0, 2 * RECEIVER_EMAIL_MAX))
  if (email === '') return { email }
  const isSound = EMAIL.test(email) && !UNSAFE.test(email) && !email.includes('..')
  if (text.length > RECEIVER_EMAIL_MAX || !isSound) return 'malformed'
  return { email: RELAY_DOMAIN.test(email) ? '' : email }
}

/** Of a row of a file: '' as well for text that is no address. */
export function receiverEmailOf(text: unknown): string {
  const found = typeof text === 'string' ? readReceiverEmail(text) : 'malformed'
  return found === 'malformed' ? '' : found.email
}
