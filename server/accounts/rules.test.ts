import { expect, test } from 'vitest'
import {
  generateReferralCode,
  emailKey,
  isEmail,
  personNameError,
  passwordError,
  registrationErrors,
  parseReferralCode,
} from './rules.ts'

const wish = {
  name: 'Ana',
  email: 'ana@example.com',
  password: 'winding river 7',
  confirmPassword: 'winding river 7',
  referralCode: '',
}

test('a form filled in well has no faults', () => {
  expect(registrationErrors(wish)).toEqual({})
})

test('empty fields are told first, each at its place, and spaces alone are empty', () => {
  expect(registrationErrors({ ...wish, name: '  ', email: '', confirmPassword: 'other' })).toEqual({
    name: 'Please fill in all fields',
    email: 'Please fill in all fields',
  })
})

test('two different passwords are told before anything about them', () => {
  expect(registrationErrors({ ...wish, password: 'short', confirmPassword: 'shorn' })).toEqual({
    confirmPassword: "Passwords don't match",
  })
})

test('a password has 8 to 128 characters, and a flag or a rocket is one', () => {
  expect(passwordError('1b%Gm_z', '')).toBe('Password must be at least 8 characters')
  expect(passwordError('🚀🌊🔑🐙🎈🧊🪁', '')).toBe('Password must be at least 8 characters')
  expect(passwordError('🚀🌊🔑🐙🎈🧊🪁🥁', '')).toBeNull()
  expect(passwordError('q7'.repeat(64), '')).toBeNull()
  expect(passwordError(`${'q7'.repeat(64)}x`, '')).toBe('Password must be at most 128 characters')
})

test('a password is taken as it is typed: spaces around it belong to it, nothing must be in it', () => {
  expect(passwordError('  spaces around  ', '')).toBeNull()
  expect(passwordError('onlysmallletters', '')).toBeNull()
})

test.each([
  'password1',
  'PASSWORD1',
  'Qwertyuiop',
  '12345678',
  'aaaaaaaaaa',
  'Evenpost2026!',
  'shipping1',
  'Labels!!!',
])('the password %s is refused because it is guessed first', password => {
  expect(passwordError(password, '')).toMatch(/too easy to guess/)
})

test('the e-mail address is no password', () => {
  expect(passwordError('Ana@Example.com', 'ana@example.com')).toBe(
    'Password must not be your email address',
  )
})

test.each([
  'a@b.co',
  'first.last+tag@sub.example.org',
  "o'hara@example.com",
  'anna@müller.example',
])('%s is an e-mail address', email => {
  expect(isEmail(email)).toBe(true)
})

test.each([
  '',
  'a',
  'a@b',
  '@b.co',
  'a@@b.co',
  'a b@c.co',
  'a@b.co\nBcc: x@y.co',
  'a@b..co',
  'a@-b.co',
  'a\u0000@b.co',
  'a\u202e@b.co',
  `${'a'.repeat(65)}@b.co`,
  `a@${'b'.repeat(250)}.co`,
])('%j is no e-mail address', email => {
  expect(isEmail(email)).toBe(false)
})

test('letter case and spaces around do not make another address', () => {
  expect(emailKey(' Ana@Example.COM ')).toBe(emailKey('ana@example.com'))
})

test('a name is shown on pages and in mails: no control characters, not endless', () => {
  expect(personNameError('Zoë van der Berg')).toBeNull()
  expect(personNameError('Ana\u0000')).toMatch(/cannot be displayed/)
  expect(personNameError('Ana\r\nBcc: everyone')).toMatch(/cannot be displayed/)
  for (const turn of ['\u202e', '\u2066', '\u200f', '\u061c'])
    expect(personNameError(`Ana ${turn}nimdA`)).toMatch(/cannot be displayed/)
  expect(personNameError('عمر الخيام')).toBeNull()
  expect(personNameError('a'.repeat(101))).toBe('Name must be at most 100 characters')
})

test('a referral code has eight letters and digits that cannot be mistaken for each other', () => {
  const code = generateReferralCode(Uint8Array.from({ length: 32 }, (_, n) => n * 37))
  expect(code).toMatch(/^[2-9A-HJKMNP-Z]{8}$/)
  expect(
    generateReferralCode(Uint8Array.from([255, 248, ...Array.from({ length: 30 }, () => 0)])),
  ).toBe('22222222')
})

test('a code may be typed in small letters and with spaces around it', () => {
  expect(parseReferralCode(' ab2c ')).toBe('AB2C')
  expect(parseReferralCode('a\u0000b')).toBeNull()
  expect(parseReferralCode('x'.repeat(41))).toBeNull()
})
