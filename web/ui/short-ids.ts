/** Ids of other systems in sentences, such as those of invoices. Pure. */

/** A longer word with a digit in it is an id. */
const LONGEST_WORD = 20
const WORDS = new RegExp(`([\\w-]{${LONGEST_WORD},})`)
const HEAD = 8
const TAIL = 6

/** The text in pieces, of which the long ids are marked. */
export const partsWithIds = (text: string): { part: string; isId: boolean }[] =>
  text.split(WORDS).map((part, i) => ({ part, isId: i % 2 === 1 && /\d/.test(part) }))

/** 'sbxaf605…186f33' */
export const shortId = (id: string): string => `${id.slice(0, HEAD)}…${id.slice(-TAIL)}`
