/** Recovery codes: for a user who has lost the second factor. Each works once. */
import { createHash } from 'node:crypto'
import { toBase32 } from './base32.ts'

export const RECOVERY_CODES = 10
/** 128 bits, of which the 25 letters of a code carry 125. */
export const RECOVERY_CODE_BYTES = 16
const GROUPS = 5
const GROUP_LETTERS = 5

/** 'K7QFA-…': five groups of five letters from 16 random bytes. */
export const recoveryCodeFrom = (random: Uint8Array): string =>
  toBase32(random)
    .slice(0, GROUPS * GROUP_LETTERS)
    .match(/.{5}/g)!
    .join('-')

/**
 * The stored form of a typed code. Letter case, dashes and spaces do not count; 0 and 1, which no
 * code has, are read as O and I. Plain SHA-256 is enough for 125 random bits.
 */
export const recoveryCodeHash = (typed: string): Buffer =>
  createHash('sha256')
    .update(typed.replace(/[\s-]/g, '').toUpperCase().replaceAll('0', 'O').replaceAll('1', 'I'))
    .digest()
