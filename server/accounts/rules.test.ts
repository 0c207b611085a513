import { expect, test } from 'vitest'
import {
  generateReferralCode,
  emailKey,
  isEmail,
  personNameFault,
  passwordFault,
  registrationFaults,
  parseReferralCode,
} from './rules.ts'

const form = {
  name: 'Ana',
  email: 'ana@example.com',
  password: 'winding river 7',
  confirmPassword: 'winding river 7',
  referralCode: '',
}

test('a valid form has no errors', () => {
  expect(registrationFaults(form)).toEqual({})
})

test('empty fields are reported first; spaces alone count as empty', () => {
  expect(registrationFaults({ ...form, name: '  ', email: '', confirmPassword: 'other' })).toEqual({
    name: { code: 'required', text: 'Please fill in all fields' },
    email: { code: 'required', text: 'Please fill in all fields' },
  })
})

test('different passwords are reported before any other error of them', () => {
  expect(registrationFaults({ ...form, password: 'short', confirmPassword: 'shorn' })).toEqual({
    confirmPassword: { code: 'passwords_differ', text: "Passwords don't match" },
  })
})

test('a password has 8 to 128 characters; an emoji counts as one', () => {
  expect(passwordFault('1b%Gm_z', '')?.text).toBe('Password must be at least 8 characters')
  expect(passwordFault('🚀🌊🔑🐙🎈🧊🪁', '')?.text).toBe('Password must be at least 8 characters')
  expect(passwordFault('🚀🌊🔑🐙🎈🧊🪁🥁', '')).toBeNull()
  expect(passwordFault('q7'.repeat(64), '')).toBeNull()
  expect(passwordFault(`${'q7'.repeat(64)}x`, '')?.text).toBe(
    'Password must be at most 128 characters',
  )
})

test('a password is used as typed, with its spaces and without required characters', () => {
  expect(passwordFault('  spaces around  ', '')).toBeNull()
  expect(passwordFault('onlysmallletters', '')).toBeNull()
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
])('the password %s is refused as too easy to guess', password => {
  expect(passwordFault(password, '')?.text).toMatch(/too easy to guess/)
})

test('the email address is not accepted as password', () => {
  expect(passwordFault('Ana@Example.com', 'ana@example.com')?.text).toBe(
    'Password must not be your email address',
  )
})

test.each([
  'a@b.co',
  'first.last+tag@sub.example.org',
  "o'hara@example.com",
  'anna@müller.example',
])('%s is a valid email', email => {
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
])('%j is not a valid email', email => {
  expect(isEmail(email)).toBe(false)
})

test('letter case and surrounding spaces do not make another email', () => {
  expect(emailKey(' Ana@Example.COM ')).toBe(emailKey('ana@example.com'))
})

test('a name has a limited length and no control characters', () => {
  expect(personNameFault('Zoë van der Berg')).toBeNull()
  expect(personNameFault('Ana\u0000')?.text).toMatch(/cannot be displayed/)
  expect(personNameFault('Ana\r\nBcc: everyone')?.text).toMatch(/cannot be displayed/)
  for (const turn of ['\u202e', '\u2066', '\u200f', '\u061c'])
    expect(personNameFault(`Ana ${turn}nimdA`)?.text).toMatch(/cannot be displayed/)
  expect(personNameFault('عمر الخيام')).toBeNull()
  expect(personNameFault('a'.repeat(101))?.text).toBe('Name must be at most 100 characters')
})

test('a referral code has eight letters and digits that are not easily confused', () => {
  const code = generateReferralCode(Uint8Array.from({ length: 32 }, (_, n) => n * 37))
  expect(code).toMatch(/^[2-9A-HJKMNP-Z]{8}$/)
  expect(
    generateReferralCode(Uint8Array.from([255, 248, ...Array.from({ length: 30 }, () => 0)])),
  ).toBe('22222222')
})

test('a code may be typed in lower case and with surrounding spaces', () => {
  expect(parseReferralCode(' ab2c ')).toBe('AB2C')
  expect(parseReferralCode('a\u0000b')).toBeNull()
  expect(parseReferralCode('x'.repeat(41))).toBeNull()
})
