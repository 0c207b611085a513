/**
 * Redacts carrier messages for operators: they may contain whole addresses and keys of the account.
 * Redacting too much is harmless, too little is not. Pure.
 */
import type { StoredAddress } from '#server/carriers/port.ts'

const REDACTION_MARK = '[…]'
const EMAIL = /[^\s<>"'(),;:@]+@[^\s<>"'(),;:@]+\.[^\s<>"'(),;:@]+/g
/** Ten digits in usual formats, with or without +1; never part of a longer number. */
const PHONE = /(?<![\w-])(?:\+?1[\s.-]?)?(?:\(\d{3}\)\s?|\d{3}[\s.-]?)\d{3}[\s.-]?\d{4}(?![\w-])/g
const NAMED_SECRET =
  /\b(authorization|bearer|basic|(?:api[_-]?)?key|token|secret|password)(\s*[:=]\s*|\s+)(?:(?:bearer|basic)\s+)?["']?[^\s"',;]{6,}/gi
/** Keys, hashes and account numbers. */
const LONG_SECRET = /[\w+/=.-]{20,}|\d{12,}/g

/** Shorter values ('CA', '12') would match unrelated words. */
const MIN_REDACTED_LENGTH = 3

/**
 * Removes this label's addresses, all emails and phones, and long keys. `keep`: the label's
 * tracking number.
 */
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
  // Longest first, so that a street is replaced as a whole before its city.
  for (const value of [...values].sort((a, b) => b.length - a.length))
    text = text.replace(valuePattern(value), REDACTION_MARK)
  return text
    .replace(PHONE, REDACTION_MARK)
    .replace(NAMED_SECRET, `$1$2${REDACTION_MARK}`)
    .replace(LONG_SECRET, found => (found === keep || !/\d/.test(found) ? found : REDACTION_MARK))
}

/** Matches whole words in any letter case and spacing. */
const valuePattern = (value: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}])${value.split(/\s+/).map(escapeRegExp).join('[\\s,]+')}(?![\\p{L}\\p{N}])`,
    'giu',
  )

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
