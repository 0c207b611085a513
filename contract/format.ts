const NUMBER_FORMAT = new Intl.NumberFormat('en-US')
const PLURAL = new Intl.PluralRules('en-US')

/**
 * '9800 1000 0000 0000 0000 17': groups of four, which people can read aloud and no spreadsheet
 * takes for a number.
 */
export const groupTracking = (tracking: string): string =>
  tracking.replace(/\s+/g, '').replace(/(.{4})(?=.)/g, '$1 ')

/** '12,000'. */
export const numberText = (n: number): string => NUMBER_FORMAT.format(n)

/** The word for so many: `plural(1, 'row has', 'rows have')`. */
export const plural = (n: number, one: string, many = `${one}s`): string =>
  PLURAL.select(n) === 'one' ? one : many

/** Places that keep their capitals: bases and post offices of the armed forces. */
const CAPITAL_WORDS = /^(?:AFB|APO|DPO|FPO|JBPHH|MCBH)$/

/**
 * 'Sun City West' for 'SUN CITY WEST', so that a list reads as one; text with a small letter is as
 * its writer wanted it.
 */
export const townText = (town: string): string =>
  /\p{Ll}/u.test(town)
    ? town
    : town.replace(/\p{L}+/gu, word =>
        CAPITAL_WORDS.test(word) ? word : word.slice(0, 1) + word.slice(1).toLowerCase(),
      )

/** '1 row', '2 rows', '12,000 rows'. */
export const countText = (n: number, one: string, many = `${one}s`): string =>
  `${numberText(n)} ${plural(n, one, many)}`

/** With a period at the end. */
export const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** '2–5 business days', '1 business day'. */
export const businessDaysText = (from: number, to: number): string =>
  `${from === to ? '' : `${from}–`}${countText(to, 'business day')}`
