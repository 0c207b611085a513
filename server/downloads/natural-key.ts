import { normalizeText } from '#contract/text.ts'

/** Printable ASCII signs in the order of dictionaries (Unicode CLDR); digits and letters follow. */
const SIGNS = ` _-,;:!?.'"()[]{}@*/\\&#%\`^+<=>|~$`
const SIGN_KEYS = new Map([...SIGNS].map((sign, rank) => [sign, String.fromCharCode(rank + 1)]))

const ASCII = /^[\x20-\x7e]*$/

/**
 * Texts whose keys are compared with < are in the order of `Intl.Collator` with `numeric` and
 * without regard to case and accents, but many times faster. Letters of other scripts follow z in
 * the order of their code points.
 */
export function naturalKey(text: string): string {
  const plain = ASCII.test(text) ? text : normalizeText(text, 'NFKD').replace(/\p{M}/gu, '')
  return plain.toLowerCase().replace(/[0-9]+|[^0-9a-z]/g, keyOfPart)
}

/** Of two numbers, the one with more digits is greater: their count stands first. */
function keyOfPart(part: string): string {
  if (part[0]! < '0' || part[0]! > '9') return SIGN_KEYS.get(part) ?? part
  const digits = part.replace(/^0+/, '')
  return `0${String.fromCharCode(digits.length)}${digits}`
}
