/** Decisions about people's names, addresses, passwords and codes. Pure; randomness is handed in. */
import { PASSWORD_MAX, PASSWORD_MIN, REFERRAL_CODE_MAX } from '#contract/accounts.ts'
import { PRODUCT } from '#contract/product.ts'
import { COMMON_PASSWORDS } from './common-passwords.ts'

/** What a visitor fills in to register (specification, 5). */
export type Registration = {
  name: string
  email: string
  password: string
  confirmPassword: string
  referralCode: string
}

const MAX_PERSON_NAME_LENGTH = 100
const MAX_EMAIL_LENGTH = 254
// Also what turns the direction of writing: 'gpj.exe' would be read as 'exe.jpg', and a name as somebody else's.
const CONTROL = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/u
// One @, no spaces, a dot in the domain. Whether somebody reads the mail only a mail can tell.
const EMAIL =
  /^[^\s@"(),:;<>[\\\]]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?\.[\p{L}\p{N}-]{2,}$/u

/** Two spellings of an address that differ only in letter case are one account. */
export const emailKey = (email: string): string => email.trim().normalize('NFC').toLowerCase()

/** Whether a text has the shape of an e-mail address. */
export const isEmail = (email: string): boolean =>
  email.length <= MAX_EMAIL_LENGTH
  && EMAIL.test(email)
  && !CONTROL.test(email)
  && !email.includes('..')

/** Fields that were left empty, each with its text (specification, 5). Spaces in a password are a password. */
export const emptyFields = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([name, text]) => (/password/i.test(name) ? text : text.trim()) === '')
      .map(([name]) => [name, 'Please fill in all fields']),
  )

/** What is wrong with the address in a form that has only this field, or null. */
export function emailError(email: string): string | null {
  if (email.trim() === '') return 'Email is required'
  return isEmail(email.trim()) ? null : 'Please enter a valid e-mail address'
}

/** Wrong fields of a registration, each with its text; empty when all is well. Empty fields are told before anything else. */
export function registrationErrors(wish: Registration): Record<string, string> {
  const { name, email, password, confirmPassword } = wish
  const empty = emptyFields({ name, email, password, confirmPassword })
  if (Object.keys(empty).length > 0) return empty
  if (password !== confirmPassword) return { confirmPassword: "Passwords don't match" }
  return onlyErrors({
    name: personNameError(name),
    email: isEmail(email.trim()) ? null : 'Please enter a valid e-mail address',
    password: passwordError(password, email),
  })
}

/** What a user changes of his account; an empty password keeps the old one. */
export type AccountUpdate = { name: string; password: string; currentPassword: string }

/** Wrong fields of such a change, each with its text (specification, 5); whether the current password is right is not known here. */
export const accountErrors = (wish: AccountUpdate, email: string): Record<string, string> =>
  onlyErrors({
    name: personNameError(wish.name),
    password: wish.password === '' ? null : passwordError(wish.password, email),
    currentPassword:
      wish.password !== '' && wish.currentPassword === '' ? 'Current Password is required' : null,
  })

const onlyErrors = (found: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== null),
  )

/** What is wrong with a person's name, or null. */
export function personNameError(name: string): string | null {
  if (name.trim() === '') return 'Name is required'
  if ([...name.trim()].length > MAX_PERSON_NAME_LENGTH)
    return `Name can have at most ${MAX_PERSON_NAME_LENGTH} characters`
  if (CONTROL.test(name)) return 'Name has characters that cannot be shown'
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

/**
 * What is wrong with a password, or null. Length and being hard to guess are all that is asked: no rules about digits or signs,
 * nothing is trimmed or changed.
 */
export function passwordError(password: string, email: string): string | null {
  const length = [...password].length
  if (length < PASSWORD_MIN) return `Password must have at least ${PASSWORD_MIN} characters`
  if (length > PASSWORD_MAX) return `Password can have at most ${PASSWORD_MAX} characters`
  const plain = password.toLowerCase()
  const word = plain.replace(/[^a-z]+$/, '')
  if (COMMON_PASSWORDS.has(plain) || PRODUCT_WORDS.has(word) || new Set(plain).size === 1) {
    return 'This password is among the first that are guessed; please choose another one'
  }
  if (plain === emailKey(email)) return 'Password must not be your e-mail address'
  return null
}

/** What an administrator changes of a user: the text of a reason, and a code of his choice. */
export type UserDetailsInput = { reason: string; referralCode?: string | undefined }

const CHOSEN_CODE = new RegExp(`^[A-Z0-9-]{3,${REFERRAL_CODE_MAX}}$`)

/** Wrong fields of such a change, each with its text. The code may be typed in any letter case. */
export const userDetailsErrors = ({
  reason,
  referralCode,
}: UserDetailsInput): Record<string, string> =>
  onlyErrors({
    reason: CONTROL.test(reason) ? 'Reason has characters that cannot be shown' : null,
    referralCode:
      referralCode === undefined ? null : referralCodeError(referralCode.trim().toUpperCase()),
  })

function referralCodeError(code: string): string | null {
  if (code === '') return 'Referral Code is required'
  return CHOSEN_CODE.test(code)
    ? null
    : `A referral code has 3 to ${REFERRAL_CODE_MAX} letters, digits and dashes`
}

// Without 0 and O, 1, I and L: a code is read out and typed.
const CODE_LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const CODE_LENGTH = 8

/** A referral code out of random bytes; at least 16 of them are needed. Bytes that would favour some letters are skipped. */
export function generateReferralCode(random: Uint8Array): string {
  const fair = 256 - (256 % CODE_LETTERS.length)
  return [...random]
    .filter(byte => byte < fair)
    .slice(0, CODE_LENGTH)
    .map(byte => CODE_LETTERS[byte % CODE_LETTERS.length])
    .join('')
}

/** A code as it was typed, made comparable: codes are kept in capitals. Null when it cannot be one. */
export function parseReferralCode(text: string): string | null {
  const code = text.trim().toUpperCase()
  return code.length <= REFERRAL_CODE_MAX && !CONTROL.test(code) ? code : null
}
