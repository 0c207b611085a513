// Text on a label. Printers, sorters and label fonts support plain Latin letters only, while names
// are José, Łukasz and 小龙. The typed text is stored unchanged; this file decides how it is printed.
import anyAscii from 'any-ascii'
import { normalizeText } from './text.ts'

/**
 * `differs`: the print differs by more than capitals, so the customer should see it before paying.
 */
export type LabelText = { text: string; differs: boolean }

const PRINTABLE = /^[\x20-\x7e]*$/
const UNTIDY_SPACES = /^ | $| {2}/
// Transliteration turns emoji into words (":gift:"), which do not belong on a label. The last three
// classes are modifiers: tones, flags, keycaps; tags and variation selectors are among the
// invisible characters.
const EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u20e3]/gu
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\ufe00-\ufe0f]/gu
const LETTER_OR_DIGIT = /[A-Za-z0-9]/

/**
 * The text in printable ASCII (0x20 to 0x7e) with its letter case, for references. Empty when
 * nothing of it is printable.
 */
export function latinText(written: string): string {
  if (PRINTABLE.test(written)) return UNTIDY_SPACES.test(written) ? tidySpaces(written) : written
  return tidySpaces(
    anyAscii(withoutInvisible(written).replace(EMOJI, ' ')).replace(/[^\x20-\x7e]/g, ''),
  )
}

/**
 * The text as printed on a label: Latin capitals, as the postal service requires in addresses. Null
 * when no letter or digit of a text is printable: the row must fail instead of printing an empty
 * line. Empty text stays empty; ASCII is never refused.
 */
export function labelText(written: string): LabelText | null {
  const latin = latinText(written)
  if (PRINTABLE.test(written)) return { text: latin.toUpperCase(), differs: false }
  const typed = tidySpaces(withoutInvisible(written))
  if (typed !== '' && !LETTER_OR_DIGIT.test(latin)) return null
  // A straightened apostrophe is not worth a notice.
  const differs = typed.replace(/\p{P}/gu, anyAscii).toLowerCase() !== latin.toLowerCase()
  return { text: latin.toUpperCase(), differs }
}

/**
 * A notice after the field's label for a text that is printed differently or not at all; null where
 * there is none.
 */
export function labelNotice(written: string): string | null {
  const label = labelText(written)
  if (label === null) return 'cannot be printed; use Latin letters'
  return label.differs ? `will be printed as ${label.text}` : null
}

// Composed (NFC) first, so that a separate accent belongs to its letter.
const withoutInvisible = (text: string) =>
  normalizeText(text).replace(/\s/g, ' ').replace(INVISIBLE, '')
const tidySpaces = (text: string) => text.replace(/ {2,}/g, ' ').trim()
