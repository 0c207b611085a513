/** Careful parsing of carrier values: money, labels, file addresses, messages. */

import { labelText } from '#contract/label-text.ts'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { CarrierLabel } from '#server/carriers/port.ts'

/**
 * Dollars as decimal text or JSON number ('5.93000') in cents, rounded up. Null for anything else,
 * negatives included. No floating-point arithmetic.
 */
export function parseCentsUp(amount: unknown): Cents | null {
  const parts = parseAmount(amount)
  return parts && cents(parts.whole + (parts.hasRest ? 1 : 0))
}

/** The same, rounded down: for balances. */
export function parseCentsDown(amount: unknown): Cents | null {
  const parts = parseAmount(amount)
  return parts && cents(parts.whole)
}

function parseAmount(amount: unknown): { whole: number; hasRest: boolean } | null {
  // JSON numbers may be sums of doubles: digits below a millionth of a dollar are dropped.
  const text =
    typeof amount === 'number' ? amount.toFixed(6) : typeof amount === 'string' ? amount.trim() : ''
  const found = /^(\d{1,10})(?:\.(\d{1,12}))?$/.exec(text)
  if (!found) return null
  const part = (found[2] ?? '').padEnd(2, '0')
  return { whole: Number(found[1]! + part.slice(0, 2)), hasRest: /[1-9]/.test(part.slice(2)) }
}

/** Rounded up with `decimals`: a parcel is never declared lighter than it is. */
export function ouncesRoundedUp(pounds: number, decimals = 0): number {
  const scale = 10 ** decimals
  return Math.ceil(Number((pounds * 16 * scale).toFixed(6))) / scale
}

/** By its first bytes; null unless PDF, PNG or ZPL. */
export function detectLabel(bytes: Uint8Array): CarrierLabel | null {
  const begins = (mark: number[]): boolean => mark.every((byte, at) => bytes[at] === byte)
  if (begins([0x25, 0x50, 0x44, 0x46, 0x2d])) return { mime: 'application/pdf', bytes }
  if (begins([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return { mime: 'image/png', bytes }
  return ZPL_START.test(Buffer.from(bytes.subarray(0, ZPL_HEAD_BYTES)).toString('latin1'))
    ? { mime: 'application/zpl', bytes }
    : null
}

// Setup commands may precede the label; CT~~ is how ZebraDesigner begins.
const ZPL_START = /^(\xef\xbb\xbf)?\s*(CT~~|[\^~])[^]*?\^XA|^\s*\^XA/
const ZPL_HEAD_BYTES = 4096

/**
 * The request's value at a path such as 'shipment.ship_to.postal_code'; '' if it is not a plain
 * value.
 */
export function requestValueAt(requestBody: unknown, path: string): string {
  let at: unknown = requestBody
  for (const name of path.split(/[.[\]]+/))
    at = at !== null && typeof at === 'object' ? (at as Record<string, unknown>)[name] : undefined
  return typeof at === 'string' || typeof at === 'number' ? String(at) : ''
}

/**
 * A file's address from a response, or null unless it is https at one of `hosts` or at the API's
 * origin. '*.example.com' includes all subdomains.
 */
export function trustedFileUrl(address: unknown, apiUrl: string, hosts: string[]): string | null {
  const url = typeof address === 'string' ? URL.parse(address) : null
  if (!url || url.username !== '' || url.password !== '') return null
  if (url.origin === new URL(apiUrl).origin) return url.href
  const isKnown = hosts.some(host =>
    host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : url.hostname === host,
  )
  return isKnown && url.protocol === 'https:' && url.port === '' ? url.href : null
}

/** Text as carriers print it; text without a Latin form was refused earlier. */
export const toPrintable = (text: string): string => labelText(text)?.text ?? ''

/** Without extension; '' unless 10 to 15 digits: longer numbers break labels. */
export function phoneDigits(phone: string): string {
  const digits = phone.replace(/\s*(ext|x).*$/i, '').replace(/\D/g, '')
  return digits.length >= 10 && digits.length <= 15 ? digits : ''
}

/** Tests only the beginning of the message: customer text may follow. */
export const saysNoFunds = (text: string): boolean =>
  /^insufficient (funds|balance|postage)\b/i.test(text)

const LONGEST = 300

/** One line, limited length, secrets redacted. */
export function sanitizeMessage(text: string, secrets: string[]): string {
  let clean = text
  for (const secret of secrets.filter(one => one.length > 0))
    clean = clean.replaceAll(secret, '•••')
  clean = clean.replace(/\s+/g, ' ').trim()
  return clean.length > LONGEST ? `${clean.slice(0, LONGEST - 1)}…` : clean
}
