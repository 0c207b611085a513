/** Tidying of text from outside, in time linear to its length. */
import type { FieldFault } from './faults.ts'

/** A cell that is longer than this many times its field's limit is an error and not looked at. */
const READ_FACTOR = 4

/** Whether a text is too long to be tidied. `max`: the field's limit in characters. */
export const isFarTooLong = (text: string, max: number): boolean => text.length > READ_FACTOR * max

/** 'City must be at most 60 characters; this has 400001'. `length`: of the text, in characters. */
export const tooLong = (label: string, max: number, length: number): FieldFault => ({
  code: 'too_long',
  text: `${label} must be at most ${max} characters; this has ${length}`,
})

/** The beginning of a long text, to be shown or quoted. `length`: in characters. */
export const shortenText = (text: string, length = 40): string =>
  text.length > length ? `${text.slice(0, length)}…` : text

// Runs of combining marks without the joiner, and of two letters that NFKD turns into marks.
const MARKS = /(?:[^\P{M}\u034f]|[\uff9e\uff9f]){2,}/gu
/** In a row; more is not text of any language (UAX 15, stream-safe text format). */
const MAX_MARKS = 30
const FULL_RUN = new RegExp(`.{${MAX_MARKS}}(?=.)`, 'gsu')
const JOINER = '\u034f'

// Marks are among these, and found much faster.
const LONG_RUN = /[\u0300-\uffff]{31,}/g
const FIRST_MARK = 0x300

/** Whether a run is longer than 30: it has a character at every 31st place of the text. */
function hasLongRun(text: string): boolean {
  const isInRun = (at: number) => text.charCodeAt(at) >= FIRST_MARK
  for (let at = MAX_MARKS; at < text.length; at += MAX_MARKS + 1) {
    if (!isInRun(at)) continue
    let start = at
    while (at - start < MAX_MARKS && isInRun(start - 1)) start -= 1
    let end = at + 1
    while (end - start <= MAX_MARKS && isInRun(end)) end += 1
    if (end - start > MAX_MARKS) return true
  }
  return false
}

/** A joiner after every 30 marks: sorting a longer run takes time quadratic to its length. */
const limitMarks = (text: string): string =>
  hasLongRun(text)
    ? text.replace(LONG_RUN, part =>
        part.replace(MARKS, run =>
          run.length > MAX_MARKS ? run.replace(FULL_RUN, `$&${JOINER}`) : run,
        ),
      )
    : text

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

const SPACE = 0x20

/** Whether text is ASCII without a space at an end or two together: it needs no tidying. */
function isTidy(text: string): boolean {
  let last = SPACE
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < SPACE || code > 0x7e || (code === SPACE && last === SPACE)) return false
    last = code
  }
  return text === '' || last !== SPACE
}

// Zero-width marks that come along when text is copied from a web page.
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g

/** One line of text: NFC, white space as single spaces, no invisible marks, trimmed. */
export const tidyText = (text: string): string =>
  isTidy(text) ? text : normalizeText(text.replace(INVISIBLE, '')).replace(/\s+/g, ' ').trim()

/** Tidied, or as it is when that is far too long, for an error that tells its length. */
export const tidyWithin = (text: string, max: number): string =>
  isFarTooLong(text, max) ? text : tidyText(text)
