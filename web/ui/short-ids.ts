/** Ids of other systems in sentences, such as those of invoices. Pure. */

/** A longer word with a digit in it is an id. */
const LONGEST_WORD = 20
/** '(…mWDz)' is the end of an id that was cut already. */
const CUT = /^\(…\w+\)$/
const WORDS = new RegExp(`([\\w-]{${LONGEST_WORD},}|\\(…\\w+\\))`)
const HEAD = 8
const TAIL = 6

/** The text in pieces, of which the long ids are marked. */
export const partsWithIds = (text: string): { part: string; isId: boolean }[] =>
  text
    .split(WORDS)
    .map((part, i) => ({ part, isId: i % 2 === 1 && (CUT.test(part) || /\d/.test(part)) }))

/** 'sbxaf605…186f33' */
export const shortId = (id: string): string =>
  CUT.test(id) ? id : `${id.slice(0, HEAD)}…${id.slice(-TAIL)}`
