/** What orders are found by. Pure; order_search_words in server/schema/functions/ does the same in SQL. */
import { normalizeText } from '#contract/text.ts'

/** Includes dashes and quotes of word processors. */
const WORD_SEPARATORS = /[^0-9a-z\u0080-\u2012\u2015-\u2017\u201a\u201b\u201e-\uffff]+/
const ACCENTS = /[\u0300-\u036f]+/g

/** Distinct, in lower case and without accents: ['josé Núñez', '111-48'] gives jose, nunez, 111 and 48. */
export const searchWordsOf = (texts: readonly (string | null)[]): string[] => [
  ...new Set(
    normalizeText(texts.filter(text => text !== null).join(' '), 'NFKD')
      .replace(ACCENTS, '')
      .toLowerCase()
      .split(WORD_SEPARATORS)
      .filter(word => word !== ''),
  ),
]

/** With the user id before each word a search never reads the words of other users. */
export const prefixWithOwner = (userId: number, words: readonly string[]): string[] =>
  words.map(word => `${userId}:${word}`)

export const normalizeReference = (reference: string): string => reference.trim().toLowerCase()

/** As order ids are compared: '#1001' and '1001' are the same order. Empty without an id. */
export const orderKeyOf = (orderId: string): string =>
  normalizeReference(orderId).replaceAll('#', '')

/**
 * `id`: as an order id. `tracking`: as a tracking number or its last digits, at least four.
 * `words`: each begins a word of the order. `reference`: the beginning of the reference.
 */
export type SearchTerms = {
  id: number | null
  tracking: string | null
  words: string[]
  reference: string
}

/** Such as '#81', 'Label 81', '9800 0000 0000 0000 0000 17', '111-4820448', 'june riv'. Null for an empty text. */
export function parseSearch(typed: string | undefined): SearchTerms | null {
  const text = typed?.trim() ?? ''
  if (text === '') return null
  const [, id] = /^(?:label\s+)?#?(\d{1,15})$/i.exec(text) ?? []
  return {
    id: id === undefined ? null : Number(id),
    tracking: parseTrackingTerm(text),
    words: searchWordsOf([text]).map(shortenWord),
    reference: normalizeReference(text),
  }
}

/** Bytes; PostgreSQL refuses a word of more than 2,046 with its owner's id. */
const MAX_WORD_BYTES = 200

/** The beginning of a word, which finds the same orders. */
function shortenWord(word: string): string {
  const bytes = Buffer.from(word)
  if (bytes.length <= MAX_WORD_BYTES) return word
  let end = MAX_WORD_BYTES
  while ((bytes[end]! & 0xc0) === 0x80) end -= 1 // inside a character
  return bytes.toString('utf8', 0, end)
}

/** The receiver's ZIP code precedes the tracking number. */
const BARCODE = /^420(?:\d{5}|\d{9})(9\d{21})$/

function parseTrackingTerm(text: string): string | null {
  // Dashes are more likely in a reference, unless the text is too long for one.
  const digits = text.replace(text.length < 20 ? /\s/g : /[\s-]/g, '')
  return /^\d{4,}$/.test(digits) ? (BARCODE.exec(digits)?.[1] ?? digits) : null
}

/** Every word is required, as a prefix. Null without words. */
export const tsQueryFor = (userId: number, words: readonly string[]): string | null =>
  words.length === 0 ? null : words.map(word => `'${userId}:${word}':*`).join(' & ')

/** In byte order: from the first bound, before the second. */
export const prefixRange = (beginning: string): [from: string, before: string] => [
  beginning,
  `${beginning}\u{10ffff}`,
]

/** To find a number by its end. */
export const reverseText = (digits: string): string => [...digits].reverse().join('')
