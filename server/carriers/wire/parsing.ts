import { labelText } from '#contract/label-text.ts'
/** What carriers write, read carefully: money, labels, addresses of files, and sentences that are shown to people. */
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { CarrierLabel } from '#server/carriers/port.ts'

/**
 * Dollars written with a point, as text or as a JSON number ('5.93000'), in cents: a part of a cent counts as a whole one. Null for
 * anything else, negative amounts included. Never calculated in floating point.
 */
export function parseCentsUp(amount: unknown): Cents | null {
  const parts = parseAmount(amount)
  return parts && cents(parts.whole + (parts.hasRest ? 1 : 0))
}

/** The same, a part of a cent left out: for what an account still has. */
export function parseCentsDown(amount: unknown): Cents | null {
  const parts = parseAmount(amount)
  return parts && cents(parts.whole)
}

function parseAmount(amount: unknown): { whole: number; hasRest: boolean } | null {
  // A JSON number may have been added up as a double: what is below a millionth of a dollar is not the carrier's word.
  const text =
    typeof amount === 'number' ? amount.toFixed(6) : typeof amount === 'string' ? amount.trim() : ''
  const found = /^(\d{1,10})(?:\.(\d{1,12}))?$/.exec(text)
  if (!found) return null
  const part = (found[2] ?? '').padEnd(2, '0')
  return { whole: Number(found[1]! + part.slice(0, 2)), hasRest: /[1-9]/.test(part.slice(2)) }
}

/** Pounds as ounces with so many decimals, rounded up: a parcel is never declared lighter than it is. */
export function ouncesRoundedUp(pounds: number, decimals = 0): number {
  const scale = 10 ** decimals
  return Math.ceil(Number((pounds * 16 * scale).toFixed(6))) / scale
}

/** A label by its first bytes, whatever it is called; null for anything but a PDF or a PNG. */
export function detectLabel(bytes: Uint8Array): CarrierLabel | null {
  const begins = (mark: number[]): boolean => mark.every((byte, at) => bytes[at] === byte)
  if (begins([0x25, 0x50, 0x44, 0x46, 0x2d])) return { mime: 'application/pdf', bytes }
  if (begins([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return { mime: 'image/png', bytes }
  return null
}

/**
 * The address of a file that a carrier's answer names, or null where we do not go: anything but https at a host that this carrier is
 * known to use, or the origin at which it is asked anyway. `hosts` are exact names; '*.example.com' stands for all below it.
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

/** A text as a carrier prints it; what cannot be written in Latin letters was refused before it came here. */
export const toPrintable = (text: string): string => labelText(text)?.text ?? ''

/** The digits of a telephone number, without an extension; empty where there are not 10 to 15 of them: longer ones break labels. */
export function phoneDigits(phone: string): string {
  const digits = phone.replace(/\s*(ext|x).*$/i, '').replace(/\D/g, '')
  return digits.length >= 10 && digits.length <= 15 ? digits : ''
}

/** The operator's account is empty, in a carrier's sentence. Only how it begins counts: what a customer wrote may stand further on. */
export const saysNoFunds = (text: string): boolean =>
  /^insufficient (funds|balance|postage)\b/i.test(text)

const LONGEST = 300

/** A carrier's sentence as people may read it: one line, not too long, and with nothing secret in it. */
export function sanitizeMessage(text: string, secrets: string[]): string {
  let clean = text
  for (const secret of secrets.filter(one => one.length > 0))
    clean = clean.replaceAll(secret, '•••')
  clean = clean.replace(/\s+/g, ' ').trim()
  return clean.length > LONGEST ? `${clean.slice(0, LONGEST - 1)}…` : clean
}
