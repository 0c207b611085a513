/** Tidying of text from outside, in time linear to its length. */

/** A cell that is longer than this many times its field's limit is an error and not looked at. */
const READ_FACTOR = 4

/** Whether a text is too long to be tidied. `max`: the field's limit in characters. */
export const isFarTooLong = (text: string, max: number): boolean => text.length > READ_FACTOR * max

/** 'City must be at most 60 characters; this has 400001'. `length`: of the text, in characters. */
export const tooLongText = (label: string, max: number, length: number): string =>
  `${label} must be at most ${max} characters; this has ${length}`

// Combining marks, and two letters that decompose into marks (NFKD), without the joiner itself.
const MARK = String.raw`(?:(?!\u034f)[\p{M}\uff9e\uff9f])`
/** In a row; more is not text of any language (UAX 15, stream-safe text format). */
const MAX_MARKS = 30
// Scans from the first mark of a run only.
const LONG_RUN = new RegExp(`${MARK}(?<!${MARK}${MARK})${MARK}{${MAX_MARKS}}`, 'u')
const RUN = new RegExp(`${MARK}+`, 'gu')
const FULL_RUN = new RegExp(`.{${MAX_MARKS}}(?=.)`, 'gsu')
const JOINER = '\u034f'

/** A joiner after every 30 marks: sorting a longer run takes time quadratic to its length. */
const limitMarks = (text: string): string =>
  LONG_RUN.test(text) ? text.replace(RUN, run => run.replace(FULL_RUN, `$&${JOINER}`)) : text

// Other text is composed.
const MAY_CHANGE = /[\u0300-\uffff]/

/**
 * Unicode normalization, linear for every text: the only caller of `normalize`. Nothing is left out
 * and no text of a language gets longer.
 */
export function normalizeText(text: string, form: 'NFC' | 'NFKD' = 'NFC'): string {
  if (form === 'NFC' && !MAY_CHANGE.test(text)) return text
  return limitMarks(text).normalize(form)
}

// Text without these needs no tidying: non-ASCII, a space at an end, two spaces together.
const UNTIDY = /[^\x20-\x7e]|^ | $| {2}/
// Zero-width marks that come along when text is copied from a web page.
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g

/** One line of text: NFC, white space as single spaces, no invisible marks, trimmed. */
export const tidyText = (text: string): string =>
  UNTIDY.test(text) ? normalizeText(text.replace(INVISIBLE, '')).replace(/\s+/g, ' ').trim() : text

/** Tidied, or as it is when that is far too long, for an error that tells its length. */
export const tidyWithin = (text: string, max: number): string =>
  isFarTooLong(text, max) ? text : tidyText(text)
