// What may stand on paper. Printers, sorters and the fonts of a label know plain Latin letters only, while people are
// called José, Łukasz and 小龙. What they typed is kept as it is; this file says how it is printed.
import anyAscii from 'any-ascii'

/** `differs`: the print is more than a change to capitals, so the customer should see it before he pays. */
export type LabelText = { text: string; differs: boolean }

const PRINTABLE = /^[\x20-\x7e]*$/
const UNTIDY_SPACES = /^ | $| {2}/
// Pictures come out of a transliteration as words (":gift:"), which no postman needs. The last three parts are the glue of
// pictures: skin tones, flags, the box around a digit; tag and variation marks go with the invisible characters.
const EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u20e3]/gu
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\ufe00-\ufe0f]/gu
const LETTER_OR_DIGIT = /[A-Za-z0-9]/

/**
 * The text in printable ASCII (0x20 to 0x7e), letter case kept, spaces tidied: for references, where case may carry meaning.
 * Empty when nothing of it can be printed.
 */
export function latinText(written: string): string {
  if (PRINTABLE.test(written)) return UNTIDY_SPACES.test(written) ? tidySpaces(written) : written
  return tidySpaces(
    anyAscii(withoutInvisible(written).replace(EMOJI, ' ')).replace(/[^\x20-\x7e]/g, ''),
  )
}

/**
 * The text as a label carries it: plain Latin capitals, as the postal service asks for in addresses.
 * Null when something was written of which no letter or digit is left: such a row must fail with a clear message instead
 * of printing an empty line. Empty text stays empty, and plain ASCII is never refused.
 */
export function labelText(written: string): LabelText | null {
  const latin = latinText(written)
  if (PRINTABLE.test(written)) return { text: latin.toUpperCase(), differs: false }
  const seen = tidySpaces(withoutInvisible(written))
  if (seen !== '' && !LETTER_OR_DIGIT.test(latin)) return null
  // A curly apostrophe made straight is no news to anybody.
  const differs = seen.replace(/\p{P}/gu, anyAscii).toLowerCase() !== latin.toLowerCase()
  return { text: latin.toUpperCase(), differs }
}

/** What to tell the customer about a text that is printed in other letters; null when there is nothing to tell. */
export function labelNotice(written: string): string | null {
  const label = labelText(written)
  if (label === null) return 'cannot be printed: please write it in Latin letters'
  return label.differs ? `will be printed as ${label.text}` : null
}

// White space of any kind becomes a space; controls, direction marks and the like have no width on paper. Letters are
// composed first, so that an accent typed as a character of its own is known to belong to its letter.
const withoutInvisible = (text: string) =>
  text.normalize('NFC').replace(/\s/g, ' ').replace(INVISIBLE, '')
const tidySpaces = (text: string) => text.replace(/ {2,}/g, ' ').trim()
