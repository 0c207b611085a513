/** Validation of names, emails, passwords and referral codes. Pure; random bytes are passed in. */
import { PASSWORD_MAX, PASSWORD_MIN, REFERRAL_CODE_MAX } from '#contract/accounts.ts'
import { PRODUCT } from '#contract/product.ts'
import { FACTOR_NAME_MAX } from '#contract/second-factor.ts'
import { normalizeText } from '#contract/text.ts'
import { COMMON_PASSWORDS } from './common-passwords.ts'

/** A deleted user has the name 'Deleted user'. */
export type UserRef = { id: number; name: string; email: string }

export type Registration = {
  name: string
  email: string
  password: string
  confirmPassword: string
  referralCode: string
}

const MAX_PERSON_NAME_LENGTH = 100
const MAX_EMAIL_LENGTH = 254
// Includes bidirectional controls, which make a name read as another one.
const CONTROL = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/u
// One @, no spaces, a dot in the domain.
const EMAIL =
  /^[^\s@"(),:;<>[\\\]]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?\.[\p{L}\p{N}-]{2,}$/u

/** Emails that differ only in letter case are one account. */
export const emailKey = (email: string): string => normalizeText(email.trim()).toLowerCase()

export const isEmail = (email: string): boolean =>
  email.length <= MAX_EMAIL_LENGTH
  && EMAIL.test(email)
  && !CONTROL.test(email)
  && !email.includes('..')

/** Empty fields, each with its text. Spaces in a password count. */
export const emptyFields = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([name, text]) => (/password/i.test(name) ? text : text.trim()) === '')
      .map(([name]) => [name, 'Please fill in all fields']),
  )

export function emailError(email: string): string | null {
  if (email.trim() === '') return 'Email is required'
  return isEmail(email.trim()) ? null : 'Enter a valid email address'
}

/** Invalid fields, each with its text. Empty fields are reported first. */
export function registrationErrors(input: Registration): Record<string, string> {
  const { name, email, password, confirmPassword } = input
  const empty = emptyFields({ name, email, password, confirmPassword })
  if (Object.keys(empty).length > 0) return empty
  if (password !== confirmPassword) return { confirmPassword: "Passwords don't match" }
  return onlyErrors({
    name: personNameError(name),
    email: isEmail(email.trim()) ? null : 'Enter a valid email address',
    password: passwordError(password, email),
  })
}

/** An empty password keeps the current one. */
export type AccountUpdate = { name: string; password: string; currentPassword: string }

/** Invalid fields, each with its text. The current password is not verified here. */
export const accountErrors = (input: AccountUpdate, email: string): Record<string, string> =>
  onlyErrors({
    name: personNameError(input.name),
    password: input.password === '' ? null : passwordError(input.password, email),
    currentPassword:
      input.password !== '' && input.currentPassword === '' ? 'Current Password is required' : null,
  })

const onlyErrors = (found: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== null),
  )

export function factorNameError(name: string): string | null {
  if (name.trim() === '') return 'Name is required'
  if ([...name.trim()].length > FACTOR_NAME_MAX)
    return `Name must be at most ${FACTOR_NAME_MAX} characters`
  if (CONTROL.test(name)) return 'Name contains characters that cannot be displayed'
  return null
}

export function personNameError(name: string): string | null {
  if (name.trim() === '') return 'Name is required'
  if ([...name.trim()].length > MAX_PERSON_NAME_LENGTH)
    return `Name must be at most ${MAX_PERSON_NAME_LENGTH} characters`
  if (CONTROL.test(name)) return 'Name contains characters that cannot be displayed'
  return null
}

const PRODUCT_WORDS = new Set([
  PRODUCT.toLowerCase(),
  'shipping',
  'shipment',
  'label',
  'labels',
  'postage',
  'parcel',
  'package',
  'usps',
])

/** Checks length and common passwords only: no rules about digits or symbols, and no trimming. */
export function passwordError(password: string, email: string): string | null {
  const length = [...password].length
  if (length < PASSWORD_MIN) return `Password must be at least ${PASSWORD_MIN} characters`
  if (length > PASSWORD_MAX) return `Password must be at most ${PASSWORD_MAX} characters`
  const plain = password.toLowerCase()
  const word = plain.replace(/[^a-z]+$/, '')
  if (COMMON_PASSWORDS.has(plain) || PRODUCT_WORDS.has(word) || new Set(plain).size === 1) {
    return 'This password is too easy to guess. Choose another.'
  }
  if (plain === emailKey(email)) return 'Password must not be your email address'
  return null
}

export const reasonError = (reason: string): string | null =>
  CONTROL.test(reason) ? 'Reason contains characters that cannot be displayed' : null

export type UserDetailsInput = { reason: string; referralCode?: string | undefined }

const CHOSEN_CODE = new RegExp(`^[A-Z0-9-]{3,${REFERRAL_CODE_MAX}}$`)

/** Invalid fields, each with its text. The code may be typed in any letter case. */
export const userDetailsErrors = ({
  reason,
  referralCode,
}: UserDetailsInput): Record<string, string> =>
  onlyErrors({
    reason: reasonError(reason),
    referralCode:
      referralCode === undefined ? null : referralCodeError(referralCode.trim().toUpperCase()),
  })

function referralCodeError(code: string): string | null {
  if (code === '') return 'Referral Code is required'
  return CHOSEN_CODE.test(code)
    ? null
    : `A referral code must be 3 to ${REFERRAL_CODE_MAX} letters, digits and dashes`
}

// Without 0, O, 1, I and L: codes are read out and typed.
const CODE_LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const CODE_LENGTH = 8

/** Needs at least 16 random bytes. Bytes that would bias the letters are skipped. */
export function generateReferralCode(random: Uint8Array): string {
  const fair = 256 - (256 % CODE_LETTERS.length)
  return [...random]
    .filter(byte => byte < fair)
    .slice(0, CODE_LENGTH)
    .map(byte => CODE_LETTERS[byte % CODE_LETTERS.length])
    .join('')
}

/** A typed code in upper case, as stored; null if it cannot be a code. */
export function parseReferralCode(text: string): string | null {
  const code = text.trim().toUpperCase()
  return code.length <= REFERRAL_CODE_MAX && !CONTROL.test(code) ? code : null
}
