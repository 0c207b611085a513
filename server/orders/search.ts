/** By what orders are found. Pure; order_search_words in server/schema/functions/ does the same in SQL. */

/** What parts words: all of ASCII that is no letter or digit, and the dashes and quotes that word processors write. */
const WORD_SEPARATORS = /[^0-9a-z\u0080-\u2012\u2015-\u2017\u201a\u201b\u201e-\uffff]+/
const ACCENTS = /[\u0300-\u036f]+/g

/** The words of texts in small letters and without accents, each once: ['josé Núñez', '111-48'] are jose, nunez, 111 and 48. */
export const searchWordsOf = (texts: readonly (string | null)[]): string[] => [
  ...new Set(
    texts
      .filter(text => text !== null)
      .join(' ')
      .normalize('NFKD')
      .replace(ACCENTS, '')
      .toLowerCase()
      .split(WORD_SEPARATORS)
      .filter(word => word !== ''),
  ),
]

/** The words behind their owner's number, as they are kept: a search never meets another user's. */
export const prefixWithOwner = (userId: number, words: readonly string[]): string[] =>
  words.map(word => `${userId}:${word}`)

/** A shop's own reference as it is kept. */
export const normalizeReference = (reference: string): string => reference.trim().toLowerCase()

/**
 * What somebody typed to find orders. `id`: it as an order's number; `tracking`: its digits as a tracking number or the end of one, at
 * least four; `words`: all of these must begin words of the order; `reference`: how a shop's own reference begins.
 */
export type SearchTerms = {
  id: number | null
  tracking: string | null
  words: string[]
  reference: string
}

/** '#81', '9800 0000 0000 0000 0000 17', '111-4820448', 'june riv'. Null where nothing was typed. */
export function parseSearch(typed: string | undefined): SearchTerms | null {
  const text = typed?.trim() ?? ''
  if (text === '') return null
  return {
    id: /^#?\d{1,15}$/.test(text) ? Number(text.replace('#', '')) : null,
    tracking: parseTrackingTerm(text),
    words: searchWordsOf([text]),
    reference: normalizeReference(text),
  }
}

/** A label's barcode, read by a scanner, has the receiver's zip before the tracking number. */
const BARCODE = /^420(?:\d{5}|\d{9})(9\d{21})$/

function parseTrackingTerm(text: string): string | null {
  // With dashes it is rather a shop's reference, unless it is as long as no reference.
  const digits = text.replace(text.length < 20 ? /\s/g : /[\s-]/g, '')
  return /^\d{4,}$/.test(digits) ? (BARCODE.exec(digits)?.[1] ?? digits) : null
}

/** The words as PostgreSQL takes them: each a beginning, all of them wanted. Null where there are none. */
export const tsQueryFor = (userId: number, words: readonly string[]): string | null =>
  words.length === 0 ? null : words.map(word => `'${userId}:${word}':*`).join(' & ')

/** Where texts that begin like this one stand among all texts, byte by byte: from the first on and before the second. */
export const prefixRange = (beginning: string): [from: string, before: string] => [
  beginning,
  `${beginning}\u{10ffff}`,
]

/** A tracking number as the index has it: from its end. */
export const reverseText = (digits: string): string => [...digits].reverse().join('')
