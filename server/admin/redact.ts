/**
 * What a carrier said, fit to be read by the operator: it may repeat whole addresses, and keys of the account. Pure. Too much taken out
 * does no harm; too little does.
 */
import type { StoredAddress } from '#server/carriers/port.ts'

/** What stands where something was taken out. */
const REDACTION_MARK = '[…]'
const EMAIL = /[^\s<>"'(),;:@]+@[^\s<>"'(),;:@]+\.[^\s<>"'(),;:@]+/g
/** Ten digits as people write them, with or without +1; never a part of a longer number. */
const PHONE = /(?<![\w-])(?:\+?1[\s.-]?)?(?:\(\d{3}\)\s?|\d{3}[\s.-]?)\d{3}[\s.-]?\d{4}(?![\w-])/g
const NAMED_SECRET =
  /\b(authorization|bearer|basic|(?:api[_-]?)?key|token|secret|password)(\s*[:=]\s*|\s+)(?:(?:bearer|basic)\s+)?["']?[^\s"',;]{6,}/gi
/** Keys, hashes and account numbers: long and not a word. */
const LONG_SECRET = /[\w+/=.-]{20,}|\d{12,}/g

/** Shorter ones ('CA', '12') would be found in innocent words. */
const MIN_REDACTED_LENGTH = 3

/** The message without the addresses of this label, anybody's e-mail and phone, and long keys. `keep`: its own tracking number. */
export function redact(
  message: string,
  sides: readonly StoredAddress[],
  keep: string | null,
): string {
  const known = sides.flatMap(({ name, company, phone, street1, street2, city, zip }) => [
    name,
    company,
    phone,
    street1,
    street2,
    city,
    zip,
    zip.slice(0, 5),
    ...name.split(/\s+/),
  ])
  let text = message.replace(EMAIL, REDACTION_MARK)
  const values = new Set(
    known.map(one => one.trim()).filter(one => one.length >= MIN_REDACTED_LENGTH),
  )
  // The longer first, so that a street goes as a whole before its city goes alone.
  for (const value of [...values].sort((a, b) => b.length - a.length))
    text = text.replace(valuePattern(value), REDACTION_MARK)
  return text
    .replace(PHONE, REDACTION_MARK)
    .replace(NAMED_SECRET, `$1$2${REDACTION_MARK}`)
    .replace(LONG_SECRET, found => (found === keep || !/\d/.test(found) ? found : REDACTION_MARK))
}

/** A value in any letter case and spacing, as a word of its own. */
const valuePattern = (value: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}])${value.split(/\s+/).map(escapeRegExp).join('[\\s,]+')}(?![\\p{L}\\p{N}])`,
    'giu',
  )

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
