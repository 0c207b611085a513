/** The text of a key: its mode, 178 random bits, and a checksum that finds typing errors. */
import { crc32 } from 'node:zlib'
import { KEY_MARK } from '#contract/keys.ts'

export type KeyMode = 'test' | 'live'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_DIGITS = 30
const CHECKSUM_DIGITS = 6
const KEY_PATTERN = new RegExp(
  `^${KEY_MARK}(test|live)_[0-9A-Za-z]{${RANDOM_DIGITS + CHECKSUM_DIGITS}}$`,
)

/** Bytes that `formatKey` needs at most: digits come from bytes below 248, four times 62. */
export const KEY_BYTES = 256
const USABLE_BYTES_BELOW = 248

export const keyPrefix = (mode: KeyMode): string => `${KEY_MARK}${mode}_`

/** `random`: at least KEY_BYTES random bytes. Throws when too few of them are usable. */
export function formatKey(mode: KeyMode, random: Uint8Array): string {
  const digits = [...random]
    .filter(byte => byte < USABLE_BYTES_BELOW)
    .slice(0, RANDOM_DIGITS)
    .map(byte => DIGITS[byte % DIGITS.length])
  if (digits.length < RANDOM_DIGITS) throw new Error('too few random bytes for a key')
  const text = keyPrefix(mode) + digits.join('')
  return text + checksumOf(text)
}

/** Null for a text that is not a key: another form, or a wrong checksum. */
export function modeOfKey(key: string): KeyMode | null {
  const mode = KEY_PATTERN.exec(key)?.[1] as KeyMode | undefined
  if (!mode) return null
  const text = key.slice(0, -CHECKSUM_DIGITS)
  return checksumOf(text) === key.slice(-CHECKSUM_DIGITS) ? mode : null
}

/** CRC32 of the text before it, in base 62. */
function checksumOf(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let n = 0; n < CHECKSUM_DIGITS; n++) {
    digits = DIGITS[rest % DIGITS.length] + digits
    rest = Math.floor(rest / DIGITS.length)
  }
  return digits
}
