/** What a receiver has typed to find a parcel. Pure. */

type LookupResult = { kind: 'page'; token: string } | { kind: 'number'; number: string }

const PAGE_LINK = /\/track\/([\w-]{22})(?![\w-])/
/** The end of a link. A number of the carrier has digits alone. */
const TOKEN = /^(?!\d+$)[\w-]{22}$/
/** Numbers of USPS: 20 to 34 digits, or two letters, nine digits and US. */
const NUMBER = /^(?:\d{20,34}|[A-Z]{2}\d{9}US)$/

/** Null for text that is neither a link nor a number. A number opens no page of ours: only the link is a key to it. */
export function parcelLookup(typed: string): LookupResult | null {
  const text = typed.trim()
  const token = PAGE_LINK.exec(text)?.[1] ?? TOKEN.exec(text)?.[0]
  if (token !== undefined) return { kind: 'page', token }
  const number = text.replace(/[\s-]/g, '').toUpperCase()
  return NUMBER.test(number) ? { kind: 'number', number } : null
}
