/** Validation of names, emails, passwords and referral codes. Pure; random bytes are passed in. */
import { PASSWORD_MAX, PASSWORD_MIN, REFERRAL_CODE_MAX } from '#contract/accounts.ts'
import type { FieldCode, FieldFault } from '#contract/faults.ts'
import { PRODUCT } from '#contract/product.ts'
import { FACTOR_NAME_MAX } from '#contract/second-factor.ts'
import { normalizeText } from '#contract/text.ts'
import { isCommonPassword } from './common-passwords.ts'

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

type Faults = Record<string, FieldFault>
const fault = (code: FieldCode, text: string): FieldFault => ({ code, text })

/** A fault for each empty field. Spaces in a password count. */
export const emptyFields = (fields: Record<string, string>): Faults =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([name, text]) => (/password/i.test(name) ? text : text.trim()) === '')
      .map(([name]) => [name, fault('required', 'Please fill in all fields')]),
  )

export function emailFault(email: string): FieldFault | null {
  if (email.trim() === '') return fault('required', 'Email is required')
  return isEmail(email.trim()) ? null : fault('email_malformed', 'Enter a valid email address')
}

/** Faults by field. Empty fields are reported first. */
export function registrationFaults(input: Registration): Faults {
  const { name, email, password, confirmPassword } = input
  const empty = emptyFields({ name, email, password, confirmPassword })
  if (Object.keys(empty).length > 0) return empty
  if (password !== confirmPassword)
    return { confirmPassword: fault('passwords_differ', "Passwords don't match") }
  return withoutNulls({
    name: personNameFault(name),
    email: emailFault(email),
    password: passwordFault(password, email),
  })
}

/** An empty password keeps the current one. */
export type AccountUpdate = { name?: string | undefined; password: string; currentPassword: string }

/** Faults by field. The current password is not verified here. */
export const accountFaults = (input: AccountUpdate, email: string): Faults =>
  withoutNulls({
    name: input.name === undefined ? null : personNameFault(input.name),
    password: input.password === '' ? null : passwordFault(input.password, email),
    currentPassword:
      input.password !== '' && input.currentPassword === ''
        ? fault('required', 'Current Password is required')
        : null,
  })

export const withoutNulls = (found: Record<string, FieldFault | null>): Faults =>
  Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, FieldFault] => entry[1] !== null),
  )

function nameFault(name: string, most: number): FieldFault | null {
  if (name.trim() === '') return fault('required', 'Name is required')
  if ([...name.trim()].length > most)
    return fault('too_long', `Name must be at most ${most} characters`)
  return CONTROL.test(name) ? notPrintable('Name') : null
}

const notPrintable = (label: string): FieldFault =>
  fault('character_not_printable', `${label} contains characters that cannot be displayed`)

export const factorNameFault = (name: string): FieldFault | null => nameFault(name, FACTOR_NAME_MAX)

export const personNameFault = (name: string): FieldFault | null =>
  nameFault(name, MAX_PERSON_NAME_LENGTH)

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
export function passwordFault(password: string, email: string): FieldFault | null {
  const length = [...password].length
  if (length < PASSWORD_MIN)
    return fault('too_short', `Password must be at least ${PASSWORD_MIN} characters`)
  if (length > PASSWORD_MAX)
    return fault('too_long', `Password must be at most ${PASSWORD_MAX} characters`)
  const plain = password.toLowerCase()
  const word = plain.replace(/[^a-z]+$/, '')
  if (isCommonPassword(plain) || PRODUCT_WORDS.has(word) || new Set(plain).size === 1) {
    return fault('password_too_easy', 'This password is too easy to guess. Choose another.')
  }
  if (plain === emailKey(email))
    return fault('password_too_easy', 'Password must not be your email address')
  return null
}

export const reasonFault = (reason: string): FieldFault | null =>
  CONTROL.test(reason) ? notPrintable('Reason') : null

export type UserDetailsInput = { reason: string; referralCode?: string | undefined }

const CHOSEN_CODE = new RegExp(`^[A-Z0-9-]{3,${REFERRAL_CODE_MAX}}$`)

/** Faults by field. The code may be typed in any letter case. */
export const userDetailsFaults = ({ reason, referralCode }: UserDetailsInput): Faults =>
  withoutNulls({
    reason: reasonFault(reason),
    referralCode:
      referralCode === undefined ? null : referralCodeFault(referralCode.trim().toUpperCase()),
  })

function referralCodeFault(code: string): FieldFault | null {
  if (code === '') return fault('required', 'Referral Code is required')
  return CHOSEN_CODE.test(code)
    ? null
    : fault(
        'malformed',
        `A referral code must be 3 to ${REFERRAL_CODE_MAX} letters, digits and dashes`,
      )
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
